import { canonicalJson } from './canonical-json.js';

/**
 * Begins a new generation of the log after its database was restored to an earlier state. The log itself goes on: nothing that was
 * signed is taken back. But the entries that the leaves from `from` on committed to were lost with the database, and the chains
 * continue with others under the same numbers.
 */
export interface RestoreLeaf {
  /** The first leaf that is void, and all after it up to this one. Equal to `formerSize` if none is. */
  readonly from: number;
  /** The last head of the generation before: size and root, 64 hexadecimal digits. */
  readonly formerSize: number;
  readonly formerRoot: string;
  /** The time of the restored state in epoch milliseconds, as the operator stated it. */
  readonly restoredToMs: number;
}

const VERSION = 1;

/** The leaf of the log: the canonical JSON (RFC 8785) of its members. */
export function encodeRestore({ from, formerSize, formerRoot, restoredToMs }: RestoreLeaf): Buffer {
  return canonicalJson({
    former_root: formerRoot,
    former_size: formerSize,
    from,
    reason: 'restore',
    restored_to: restoredToMs,
    version: VERSION,
  });
}

/** The restore of a leaf; undefined for bytes that `encodeRestore` does not return. */
export function decodeRestore(leaf: Uint8Array): RestoreLeaf | undefined {
  const text = Buffer.from(leaf).toString();
  const { from, size, root = '', at } = LEAF.exec(text)?.groups ?? {};
  if (from === undefined) return undefined;
  const decoded = {
    from: Number(from),
    formerSize: Number(size),
    formerRoot: root,
    restoredToMs: Number(at),
  };
  const isCanonical = encodeRestore(decoded).toString() === text;
  return isCanonical && decoded.from <= decoded.formerSize ? decoded : undefined;
}

const LEAF =
  /^\{"former_root":"(?<root>[0-9a-f]{64})","former_size":(?<size>\d{1,15}),"from":(?<from>\d{1,15}),"reason":"restore","restored_to":(?<at>\d{1,15}),"version":1\}$/;

/** The extension lines of the first checkpoint of a new generation (C2SP tlog-checkpoint): what it follows, and why. */
export function restoreExtensions({ from, formerSize, formerRoot, restoredToMs }: RestoreLeaf): string[] {
  const root = Buffer.from(formerRoot, 'hex').toString('base64');
  return [
    `generation after a restore to ${new Date(restoredToMs).toISOString()}`,
    `former head ${formerSize} ${root}`,
    `void leaves from ${from}`,
  ];
}
