import type { EntryFacts } from '../chain/account-chain.js';
import type { JsonObject } from '../chain/canonical-json.js';
import type { HeadLeaf } from '../chain/head-leaf.js';

/** The version of the format, in the first line. */
export const EXPORT_VERSION = 1;

/** The first line of an export: which account, range and log it is of. */
export interface ExportHeader {
  readonly account: string;
  /** The salt of the account's pseudonym in the log: 32 bytes. */
  readonly pseudonymSalt: Buffer;
  /** The range of time in epoch milliseconds, `toMs` exclusive; null without a limit. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
  /** The numbers of the first and the last entry, and of all between them; null in an export without entries. */
  readonly firstSeq: number | null;
  readonly lastSeq: number | null;
  /** The origin of the log, and its keys as `name+id+base64`. */
  readonly origin: string;
  readonly keys: readonly string[];
}

/** One entry of an account's chain. */
export interface ChainEntry extends Omit<EntryFacts, 'account'> {
  /** The body and its salt; undefined once they are erased, after which the chain still verifies. */
  readonly content: EntryContent | undefined;
  /** 32 bytes each. */
  readonly bodyHash: Buffer;
  readonly prevHash: Buffer;
  readonly hash: Buffer;
}

/** The erasable part of an entry. */
export interface EntryContent {
  /** 32 random bytes. */
  readonly salt: Buffer;
  /** `event_id`, actor, details; no name that an entry line has for itself. */
  readonly body: JsonObject;
}

/** A head in the log, with its inclusion proof against the checkpoint of the export. */
export interface ProvenHead {
  readonly leaf: HeadLeaf;
  /** The index of the leaf in the log. */
  readonly index: number;
  readonly proof: readonly Buffer[];
}

/** The proof that the checkpoint of the export continues the tree of `fromSize` leaves. */
export interface ExportConsistency {
  readonly fromSize: number;
  readonly proof: readonly Buffer[];
}

/** The names that an entry line has besides those of its body. */
export const ENTRY_NAMES: ReadonlySet<string> = new Set([
  'kind',
  'seq',
  'at',
  'type',
  'erased',
  'salt',
  'body_hash',
  'prev_hash',
  'hash',
]);

export function headerLine(header: ExportHeader): string {
  return line('header', {
    version: EXPORT_VERSION,
    account: header.account,
    pseudonym_salt: header.pseudonymSalt.toString('hex'),
    from: header.fromMs,
    to: header.toMs,
    first_seq: header.firstSeq,
    last_seq: header.lastSeq,
    origin: header.origin,
    keys: header.keys,
  });
}

/** The line of the signed checkpoint that all proofs of the export lead to. */
export function checkpointLine(note: string): string {
  return line('checkpoint', { note });
}

export function consistencyLine({ fromSize, proof }: ExportConsistency): string {
  return line('consistency', { from_size: fromSize, proof: base64Of(proof) });
}

/** @throws RangeError for a body with a name that an entry line has for itself */
export function entryLine(entry: ChainEntry): string {
  return line('entry', entryMembers(entry));
}

/**
 * The line of an entry outside of an export, where no header names the account: that of an export with the member `account`.
 * @throws RangeError for a body with a name that such a line has for itself
 */
export function accountEntryLine(account: string, entry: ChainEntry): string {
  if (entry.content && 'account' in entry.content.body) throw reservedName('account');
  return line('entry', { account, ...entryMembers(entry) });
}

function entryMembers({ seq, at, type, content, bodyHash, prevHash, hash }: ChainEntry): object {
  const reserved = Object.keys(content?.body ?? {}).find((name) => ENTRY_NAMES.has(name));
  if (reserved) throw reservedName(reserved);
  return {
    seq,
    at,
    type,
    ...(content ? content.body : { erased: true }),
    ...(content && { salt: content.salt.toString('hex') }),
    body_hash: bodyHash.toString('hex'),
    prev_hash: prevHash.toString('hex'),
    hash: hash.toString('hex'),
  };
}

function reservedName(name: string): RangeError {
  return new RangeError(`The body of an entry cannot have the name ${name}`);
}

export function headLine({ leaf, index, proof }: ProvenHead): string {
  const { pseudonym, seq, head, hour } = leaf;
  return line('head', { leaf: { pseudonym, seq, head, hour }, index, proof: base64Of(proof) });
}

function line(kind: string, members: object): string {
  return JSON.stringify({ kind, ...members });
}

function base64Of(proof: readonly Buffer[]): string[] {
  return proof.map((hash) => hash.toString('base64'));
}
