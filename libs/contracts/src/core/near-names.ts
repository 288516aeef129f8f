/** Letters from which a name tolerates one edit, and two (AMB-51). */
const ONE_EDIT_LETTERS = 4;
const TWO_EDITS_LETTERS = 8;

interface FoldedName {
  readonly name: string;
  readonly folded: string;
  /** A bit for each character that occurs. */
  readonly characters: number;
}

/** Finds the declared name that an undeclared one is probably meant to be (AMB-51). */
export class NearNames {
  readonly #declared: readonly FoldedName[];
  readonly #charactersMax: number;

  constructor(names: readonly string[]) {
    this.#declared = names.map(foldedName);
    // Separators do not count, so that a name may have as many as letters.
    this.#charactersMax = 2 * Math.max(0, ...names.map((name) => name.length));
  }

  /** The nearest declared name: it differs in case, `-` and `_` alone, or in as many edits as its length tolerates. */
  find(name: string): string | undefined {
    if (name.length > this.#charactersMax) return undefined;
    const given = foldedName(name);
    let nearest: string | undefined;
    let fewest = Infinity;
    for (const declared of this.#declared) {
      const edits = editsBetween(given, declared, Math.min(toleranceOf(declared.folded), fewest - 1));
      if (edits === undefined) continue;
      [nearest, fewest] = [declared.name, edits];
    }
    return nearest;
  }
}

function foldedName(name: string): FoldedName {
  const folded = name.toLowerCase().replace(/[-_]/g, '');
  let characters = 0;
  for (let index = 0; index < folded.length; index += 1) characters |= 1 << (folded.charCodeAt(index) % 32);
  return { name, folded, characters };
}

function toleranceOf({ length }: string): number {
  if (length < ONE_EDIT_LETTERS) return 0;
  return length < TWO_EDITS_LETTERS ? 1 : 2;
}

/** The edits between two names; undefined above `max`. Most names of a hostile body are told apart by length and characters. */
function editsBetween(a: FoldedName, b: FoldedName, max: number): number | undefined {
  if (max < 0 || Math.abs(a.folded.length - b.folded.length) > max) return undefined;
  if (a.folded === b.folded) return 0;
  // An edit adds one character at most, and removes one at most.
  if (max === 0 || bitsOf(a.characters ^ b.characters) > 2 * max) return undefined;
  return alignmentEdits(a.folded, b.folded, max);
}

function bitsOf(word: number): number {
  let count = 0;
  for (let rest = word; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/** Insertions, deletions, replacements and swaps of neighbours that make one text the other (optimal string alignment). */
function alignmentEdits(a: string, b: string, max: number): number | undefined {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = nextRow(a, b, row, previous, beforePrevious);
    if (Math.min(...current) > max) return undefined;
    [beforePrevious, previous] = [previous, current];
  }
  const edits = previous[b.length] as number;
  return edits <= max ? edits : undefined;
}

function nextRow(a: string, b: string, row: number, previous: number[], beforePrevious: number[]): number[] {
  const current = [row];
  for (let column = 1; column <= b.length; column += 1) {
    const isSame = a[row - 1] === b[column - 1];
    const [left, above, diagonal] = [current[column - 1], previous[column], previous[column - 1]] as number[];
    let edits = Math.min(
      (left as number) + 1,
      (above as number) + 1,
      (diagonal as number) + (isSame ? 0 : 1),
    );
    const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
    if (isSwap) edits = Math.min(edits, (beforePrevious[column - 2] as number) + 1);
    current.push(edits);
  }
  return current;
}
