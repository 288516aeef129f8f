import { bodyHash, entryHash, FIRST_PREV_HASH } from '../chain/account-chain.js';
import type { ChainEntry } from './export-lines.js';
import { ExportProblem } from './problem.js';

/** Entries on each side among which the original place of a renumbered entry is looked for. */
const NEIGHBOURS = 10_000;

/** The last entry that was accepted; before the first one, what its successor must have. */
interface Position {
  readonly seq: number;
  /** Undefined at the start of a range: the first entry's `prevHash` is then taken as it is. */
  readonly hash: Buffer | undefined;
}

/**
 * Checks the entries of one account in their order, with constant memory. A problem may need later entries to be named: the
 * missing entry may follow, and then it was moved. So `add` may return after an anomaly, and a later `add` or `end` throws.
 */
export class ChainChecker {
  readonly #account: string;
  #last: Position;
  #anomaly: Anomaly | undefined;

  /** @param firstSeq the number that the first entry must have */
  constructor(account: string, firstSeq: number) {
    this.#account = account;
    this.#last = { seq: firstSeq - 1, hash: firstSeq === 1 ? FIRST_PREV_HASH : undefined };
  }

  /** The last entry that is in its place. */
  get last(): Position {
    return this.#last;
  }

  /** Whether an anomaly was found and is not named yet. */
  get isDoubtful(): boolean {
    return this.#anomaly !== undefined;
  }

  /** @throws ExportProblem: edited, removed, inserted or reordered, with the number of the first bad entry */
  add(entry: ChainEntry): void {
    if (this.#anomaly) return this.#resolve(this.#anomaly, entry);
    const expected = this.#last.seq + 1;
    const original = this.#originalSeq(entry);
    const place = original ?? entry.seq;
    if (place < expected) throw inserted(place);
    if (place > expected) this.#anomaly = { kind: 'gap', missing: expected };
    else if (original === undefined) this.#anomaly = { kind: 'changed', entry };
    else if (original !== entry.seq) throw edited(original);
    else if (this.#last.hash && !entry.prevHash.equals(this.#last.hash))
      this.#anomaly = { kind: 'broken-link', entry };
    else this.#last = entry;
  }

  /** Names an anomaly that no later entry has explained. @throws ExportProblem */
  end(): void {
    if (!this.#anomaly) return;
    if (this.#anomaly.kind === 'gap') throw removed(this.#anomaly.missing);
    throw this.#anomaly.kind === 'changed' ? edited(this.#anomaly.entry.seq) : replaced(this.#anomaly.entry);
  }

  /** Any later entry may be the missing one; the entry after another anomaly tells which of two entries is bad. */
  #resolve(anomaly: Anomaly, entry: ChainEntry): void {
    if (anomaly.kind === 'gap') {
      if (this.#isOriginally(entry, anomaly.missing)) throw reordered(anomaly.missing);
      return;
    }
    const { seq, hash } = anomaly.entry;
    if (this.#isOriginally(entry, seq)) throw inserted(seq);
    throw anomaly.kind === 'broken-link' && entry.prevHash.equals(hash)
      ? replaced(anomaly.entry)
      : edited(seq);
  }

  /** The number with which the entry was appended; undefined if the entry was changed in another way. */
  #originalSeq(entry: ChainEntry): number | undefined {
    const { content, seq } = entry;
    if (content && !bodyHash(content.salt, content.body).equals(entry.bodyHash)) return undefined;
    if (this.#isOriginally(entry, seq)) return seq;
    for (let distance = 1; distance <= NEIGHBOURS; distance += 1)
      for (const other of [seq - distance, seq + distance])
        if (this.#isOriginally(entry, other)) return other;
    return undefined;
  }

  #isOriginally({ at, type, prevHash, bodyHash: body, hash }: ChainEntry, seq: number): boolean {
    return seq >= 1 && entryHash(prevHash, { account: this.#account, seq, at, type }, body).equals(hash);
  }
}

/** Something wrong that a later entry may explain. */
type Anomaly =
  /** An entry is missing, or stands at a later place. */
  | { readonly kind: 'gap'; readonly missing: number }
  /** The hash of the entry is not that of its content: it was edited, or it was inserted and the original follows. */
  | { readonly kind: 'changed'; readonly entry: ChainEntry }
  /** The entry is intact in itself and does not continue the one before: one of the two was replaced. */
  | { readonly kind: 'broken-link'; readonly entry: ChainEntry };

function edited(seq: number): ExportProblem {
  return new ExportProblem('edited', `entry ${seq} is not the one that its hash was made of`, seq);
}

/** The entry before this one was replaced together with its hash. */
function replaced({ seq }: ChainEntry): ExportProblem {
  const before = seq - 1;
  if (before < 1) return edited(seq);
  return new ExportProblem('edited', `entry ${before} is not the one that entry ${seq} continues`, before);
}

function inserted(seq: number): ExportProblem {
  return new ExportProblem('inserted', `there is a second entry with the number ${seq}`, seq);
}

function reordered(seq: number): ExportProblem {
  return new ExportProblem('reordered', `entry ${seq} stands at a later place`, seq);
}

function removed(seq: number): ExportProblem {
  return new ExportProblem('removed', `entry ${seq} is missing`, seq);
}
