import { canonicalJson } from './canonical-json.js';

/** The head of an account's chain at the end of an hour, as the log publishes it. */
export interface HeadLeaf {
  /** `accountPseudonym` of the account. */
  readonly pseudonym: string;
  /** The number of the last entry. */
  readonly seq: number;
  /** The hash of the last entry: 64 hexadecimal digits. */
  readonly head: string;
  /** The hour, counted from 1970-01-01T00:00Z: 3,600,000 ms each. */
  readonly hour: number;
}

const VERSION = 1;
const HOUR_MS = 3_600_000;
const HEX_256 = /^[0-9a-f]{64}$/;

/** The leaf of the log: the canonical JSON (RFC 8785) of its members and `"version":1`. About 200 bytes. */
export function encodeHead({ head, hour, pseudonym, seq }: HeadLeaf): Buffer {
  return canonicalJson({ head, hour, pseudonym, seq, version: VERSION });
}

/** The head of a leaf; undefined for bytes that `encodeHead` does not return. */
export function decodeHead(leaf: Uint8Array): HeadLeaf | undefined {
  const text = Buffer.from(leaf).toString();
  const match = LEAF.exec(text);
  if (!match) return undefined;
  const { head = '', hour, pseudonym = '', seq } = match.groups ?? {};
  const decoded = { pseudonym, seq: Number(seq), head, hour: Number(hour) };
  return isHead(decoded) && encodeHead(decoded).toString() === text ? decoded : undefined;
}

/** Canonical JSON has one form, so that a pattern reads it: no duplicate names, no whitespace. */
const LEAF =
  /^\{"head":"(?<head>[0-9a-f]{64})","hour":(?<hour>\d{1,9}),"pseudonym":"(?<pseudonym>[0-9a-f]{64})","seq":(?<seq>\d{1,16}),"version":1\}$/;

/** Whether the members of a head have the form that `HeadLeaf` describes. */
export function isHead({ pseudonym, seq, head, hour }: HeadLeaf): boolean {
  const isHashed = HEX_256.test(pseudonym) && HEX_256.test(head);
  return isHashed && Number.isSafeInteger(seq) && seq >= 1 && Number.isSafeInteger(hour) && hour >= 0;
}

/** The hour of a time in epoch milliseconds. */
export function hourOf(ms: number): number {
  return Math.floor(ms / HOUR_MS);
}

/** The time at which an hour ends, in epoch milliseconds. */
export function endOfHourMs(hour: number): number {
  return (hour + 1) * HOUR_MS;
}
