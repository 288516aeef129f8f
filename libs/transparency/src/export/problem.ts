/**
 * What is wrong with an export.
 *
 * - `malformed`: a line does not have the form of the format, or is not in its place.
 * - `edited`: an entry does not have the hash that it had when it was appended.
 * - `removed`, `inserted`, `reordered`: an entry is missing, is one too many, or is not in its place.
 * - `cut-tail`: the export ends before the last entry that it must have.
 * - `rewritten`: the chain is intact, but is not the one whose head is in the log.
 * - `second-history`: the log is not a continuation of the pinned checkpoint, or it has two heads for one entry.
 * - `bad-signature`: no known key has signed a checkpoint.
 * - `bad-proof`: a head is not in the log of the checkpoint.
 * - `bad-tiles`: the tiles are not those of the checkpoint.
 */
export type ProblemKind =
  | 'malformed'
  | 'edited'
  | 'removed'
  | 'inserted'
  | 'reordered'
  | 'cut-tail'
  | 'rewritten'
  | 'second-history'
  | 'bad-signature'
  | 'bad-proof'
  | 'bad-tiles';

/** The first problem of an export. Verification throws it and ends with it. */
export class ExportProblem extends Error {
  override readonly name = 'ExportProblem';

  /**
   * @param message a sentence without its full stop, for a reader who does not know the format
   * @param seq the number of the first bad entry, where an entry is bad
   */
  constructor(
    readonly kind: ProblemKind,
    message: string,
    readonly seq?: number,
  ) {
    super(message);
  }
}
