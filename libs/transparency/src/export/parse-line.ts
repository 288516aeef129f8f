import { decodeBase64 } from '@vaultsvc/crypto/encoding';
import { HASH_BYTES } from '@vaultsvc/crypto/hash';
import type { JsonObject } from '../chain/canonical-json.js';
import { isHead } from '../chain/head-leaf.js';
import {
  EXPORT_VERSION,
  type ChainEntry,
  type ExportConsistency,
  type ExportHeader,
  type ProvenHead,
} from './export-lines.js';

/** A parsed line of an export. */
export type ExportLine =
  | { readonly kind: 'header'; readonly header: ExportHeader }
  | { readonly kind: 'checkpoint'; readonly note: string }
  | { readonly kind: 'consistency'; readonly consistency: ExportConsistency }
  | { readonly kind: 'entry'; readonly entry: ChainEntry }
  | { readonly kind: 'head'; readonly head: ProvenHead };

/** A line does not have the form of the format. */
export class MalformedLine extends Error {
  override readonly name = 'MalformedLine';
}

/**
 * Parses one line. A line must be as `JSON.stringify` writes it, without spaces and duplicate names, and may have no
 * unknown names: everything that a reader of the line sees is covered by a check.
 * @throws MalformedLine
 */
export function parseLine(text: string): ExportLine {
  const { kind, ...members } = parseObject(text);
  switch (kind) {
    case 'header':
      return { kind, header: headerOf(members) };
    case 'checkpoint':
      assertNames(members, ['note']);
      return { kind, note: textOf(members['note']) };
    case 'consistency':
      assertNames(members, ['from_size', 'proof']);
      return {
        kind,
        consistency: { fromSize: countOf(members['from_size']), proof: proofOf(members['proof']) },
      };
    case 'entry':
      return { kind, entry: entryOf(members) };
    case 'head':
      return { kind, head: headOf(members) };
    default:
      throw new MalformedLine('the line has an unknown kind');
  }
}

type Members = Record<string, unknown>;

function parseObject(text: string): Members {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new MalformedLine('the line is not JSON', { cause: error });
  }
  if (JSON.stringify(value) !== text) throw new MalformedLine('the line has spaces or a duplicate name');
  return objectOf(value);
}

function headerOf(members: Members): ExportHeader {
  const { version, account, pseudonym_salt, from, to, first_seq, last_seq, origin, keys, ...others } =
    members;
  assertNames(others, []);
  if (version !== EXPORT_VERSION)
    throw new MalformedLine(`the version of the format is not ${EXPORT_VERSION}`);
  const header = {
    account: textOf(account),
    pseudonymSalt: hexOf(pseudonym_salt),
    fromMs: nullable(from, countOf),
    toMs: nullable(to, countOf),
    firstSeq: nullable(first_seq, countOf),
    lastSeq: nullable(last_seq, countOf),
    origin: textOf(origin),
    keys: listOf(keys).map(textOf),
  };
  if ((header.firstSeq === null) !== (header.lastSeq === null))
    throw new MalformedLine('the header has one of first_seq and last_seq');
  return header;
}

function entryOf(members: Members): ChainEntry {
  const { seq, at, type, erased, salt, body_hash, prev_hash, hash, ...body } = members;
  const facts = {
    seq: countOf(seq),
    at: countOf(at),
    type: textOf(type),
    bodyHash: hexOf(body_hash),
    prevHash: hexOf(prev_hash),
    hash: hexOf(hash),
  };
  if (erased === undefined) return { ...facts, content: { salt: hexOf(salt), body: body as JsonObject } };
  if (erased !== true || salt !== undefined || Object.keys(body).length > 0)
    throw new MalformedLine('an erased entry has a body or a salt');
  return { ...facts, content: undefined };
}

function headOf({ leaf, index, proof, ...others }: Members): ProvenHead {
  assertNames(others, []);
  const { pseudonym, seq, head, hour, ...rest } = objectOf(leaf);
  assertNames(rest, []);
  const parsed = { pseudonym: textOf(pseudonym), seq: countOf(seq), head: textOf(head), hour: countOf(hour) };
  if (!isHead(parsed)) throw new MalformedLine('the leaf of a head is malformed');
  return { leaf: parsed, index: countOf(index), proof: proofOf(proof) };
}

function assertNames(members: Members, names: readonly string[]): void {
  const unknown = Object.keys(members).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new MalformedLine(`the line has the unknown name ${JSON.stringify(unknown)}`);
}

function objectOf(value: unknown): Members {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members;
  throw new MalformedLine('a value is not an object');
}

function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  throw new MalformedLine('a value is not a list');
}

function textOf(value: unknown): string {
  if (typeof value === 'string' && value.isWellFormed()) return value;
  throw new MalformedLine('a value is not text');
}

/** A whole number from 0 to 2^53 - 1. */
function countOf(value: unknown): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw new MalformedLine('a value is not a whole number');
}

function hexOf(value: unknown): Buffer {
  const text = textOf(value);
  if (/^[0-9a-f]{64}$/.test(text)) return Buffer.from(text, 'hex');
  throw new MalformedLine('a value is not 64 hexadecimal digits');
}

function proofOf(value: unknown): Buffer[] {
  return listOf(value).map((hash) => {
    const bytes = decodeBase64(textOf(hash));
    if (bytes?.length !== HASH_BYTES) throw new MalformedLine('a proof has a value that is not a hash');
    return bytes;
  });
}

function nullable<T>(value: unknown, parse: (value: unknown) => T): T | null {
  return value === null ? null : parse(value);
}
