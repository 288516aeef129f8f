import type { HeadLeaf } from '../chain/head-leaf.js';
import { consistencyProof, inclusionProof } from '../tiles/proofs.js';
import type { TileReader } from '../tiles/tile-hashes.js';
import {
  checkpointLine,
  consistencyLine,
  entryLine,
  headerLine,
  headLine,
  type ChainEntry,
  type ExportHeader,
} from './export-lines.js';

/** A head and its place in the log. */
export interface LoggedHead {
  readonly leaf: HeadLeaf;
  readonly index: number;
}

/** What an export is written from: one consistent view of the account's entries, and a checkpoint of the log. */
export interface ExportSource {
  readonly header: ExportHeader;
  /** Every entry from `header.firstSeq` to `header.lastSeq`, in the order of `seq`. */
  readonly entries: AsyncIterable<ChainEntry>;
  /** The account's heads from the seq before the first entry to the last one, in the order of `seq`. */
  readonly heads: AsyncIterable<LoggedHead>;
  /** The latest checkpoint; undefined while the log is empty. */
  readonly checkpoint: { readonly note: string; readonly size: number } | undefined;
  /** The size of an older checkpoint that the reader of the export has pinned. At most that of the checkpoint. */
  readonly fromSize?: number | undefined;
  readonly read: TileReader;
}

/**
 * The lines of an export, without newlines: header, checkpoint, consistency proof if asked for, and the entries, each
 * followed by the head that commits to it. In this order a verifier needs one pass and constant memory. Heads that the
 * checkpoint does not cover yet are left out.
 * @throws RangeError if `fromSize` is above the size of the checkpoint; MissingTile, InvalidTile, and what the source throws
 */
export async function* writeExport(source: ExportSource): AsyncGenerator<string, void, void> {
  const { header, checkpoint, fromSize, read } = source;
  yield headerLine(header);
  if (checkpoint) {
    yield checkpointLine(checkpoint.note);
    if (fromSize !== undefined)
      yield consistencyLine({
        fromSize,
        proof: await consistencyProof(fromSize, checkpoint.size, read),
      });
  }
  yield* writeEntries({ ...source, size: checkpoint?.size ?? 0 });
}

/** The entries of an export, and the size of the checkpoint that their heads are proved against. */
export interface EntrySource extends Pick<ExportSource, 'entries' | 'heads' | 'read'> {
  readonly size: number;
}

/** The lines of some entries, each followed by its head: a later part of an export that `writeExport` began. */
export async function* writeEntries({
  entries,
  heads,
  read,
  size,
}: EntrySource): AsyncGenerator<string, void, void> {
  const pending = heads[Symbol.asyncIterator]();
  let next = await pending.next();
  const headsUpTo = async function* (seq: number) {
    for (; !next.done && next.value.leaf.seq <= seq; next = await pending.next()) {
      const { leaf, index } = next.value;
      if (index < size) yield headLine({ leaf, index, proof: await inclusionProof(size, index, read) });
    }
  };
  for await (const entry of entries) {
    yield* headsUpTo(entry.seq - 1);
    yield entryLine(entry);
    yield* headsUpTo(entry.seq);
  }
}
