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

  constructor(names: readonly string[]) {
    this.#declared = names.map(foldedName);
  }

  /** The nearest declared name: it differs in case, `-` and `_` alone, or in as many edits as its length tolerates. */
  find(name: string): string | undefined {
    const given = foldedName(name);
    let nearest: string | undefined;
    let fewest = Infinity;
    for (const declared of this.#declared) {
      const tolerance = toleranceOf(declared.folded);
      if (editsAtLeast(given, declared) > tolerance) continue;
      const edits = editsBetween(given.folded, declared.folded);
      if (edits <= tolerance && edits < fewest) [nearest, fewest] = [declared.name, edits];
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

/**
 * A bound that tells most names of a hostile body apart without comparing them: an edit changes the length by one at most, adds
 * one character at most, and removes one at most.
 */
function editsAtLeast(a: FoldedName, b: FoldedName): number {
  return Math.max(Math.abs(a.folded.length - b.folded.length), bitsOf(a.characters ^ b.characters) / 2);
}

function bitsOf(word: number): number {
  let count = 0;
  for (let rest = word; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/** Insertions, deletions, replacements and swaps of neighbours that make one text the other (optimal string alignment). */
function editsBetween(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1)
      current.push(editsOfCell(a, b, row, column, current, previous, beforePrevious));
    [beforePrevious, previous] = [previous, current];
  }
  return previous[b.length] as number;
}

/** The edits between the first `row` characters of one text and the first `column` of the other. */
function editsOfCell(
  a: string,
  b: string,
  row: number,
  column: number,
  current: readonly number[],
  previous: readonly number[],
  beforePrevious: readonly number[],
): number {
  const replaced = (previous[column - 1] as number) + (a[row - 1] === b[column - 1] ? 0 : 1);
  const edits = Math.min((current[column - 1] as number) + 1, (previous[column] as number) + 1, replaced);
  // Before the first character there is none that could be swapped.
  const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
  return isSwap ? Math.min(edits, (beforePrevious[column - 2] as number) + 1) : edits;
}
