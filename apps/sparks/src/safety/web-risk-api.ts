import { sendOutbound, type OutboundRequest } from '@vaultsvc/http';
import type { WebRiskAccess } from '../config.js';
import type { HashRun } from './hash-list.js';

/** The first response contains a whole list in base64. */
const DIFF_BYTES_MAX = 80 * 1024 * 1024;
const DIFF_MS_MAX = 60_000;
const SEARCH_BYTES_MAX = 1024 * 1024;

/**
 * Client of the two methods of Google Web Risk's Update API (`v1`). Web Risk receives hash prefixes that are on its lists,
 * never a URL. The key is sent in a header: access logs record URLs.
 */
export class WebRiskApi {
  constructor(private readonly access: WebRiskAccess) {}

  /** The changes since `versionToken`, or the whole list when it is empty. @throws after a minute, or for any failure */
  async computeDiff(type: ThreatType, versionToken: string, signal: AbortSignal): Promise<ListDiff> {
    const query = new URLSearchParams({ threatType: type, 'constraints.supportedCompressions': 'RAW' });
    if (versionToken !== '') query.set('versionToken', versionToken);
    const limits = { signal, timeoutMs: DIFF_MS_MAX, replyBytesMax: DIFF_BYTES_MAX };
    return readListDiff(await this.#get('/v1/threatLists:computeDiff', query, limits));
  }

  /** The listed hashes with this prefix. @throws when `signal` aborts, or for any failure */
  async searchHashes(prefix: Buffer, signal: AbortSignal): Promise<HashSearch> {
    const query = new URLSearchParams({ hashPrefix: prefix.toString('base64') });
    for (const type of threatTypes) query.append('threatTypes', type);
    const limits = { signal, replyBytesMax: SEARCH_BYTES_MAX };
    return readHashSearch(await this.#get('/v1/hashes:search', query, limits));
  }

  async #get(path: string, query: URLSearchParams, limits: Limits): Promise<unknown> {
    const { status, body, isComplete } = await sendOutbound({
      method: 'GET',
      url: new URL(`${this.access.origin}${path}?${query.toString()}`),
      headers: { accept: 'application/json', 'x-goog-api-key': this.access.apiKey.reveal() },
      ...limits,
    });
    if (status !== 200) throw new Error(`Web Risk answered ${status}`);
    if (!isComplete) throw new Error('the response of Web Risk is too large, or broke off');
    return JSON.parse(body) as unknown;
  }
}

type Limits = Pick<OutboundRequest, 'signal' | 'timeoutMs' | 'replyBytesMax'>;

/** The lists of Web Risk in use, the worst first. */
export const threatTypes = ['MALWARE', 'SOCIAL_ENGINEERING', 'UNWANTED_SOFTWARE'] as const;
export type ThreatType = (typeof threatTypes)[number];

/** The response of `threatLists:computeDiff`. */
export interface ListDiff {
  /** The additions are a whole list and replace the local one. */
  readonly isReset: boolean;
  readonly additions: readonly HashRun[];
  readonly removals: readonly number[];
  /** Opaque, for the next request. */
  readonly versionToken: string;
  /** The checksum of the list after the changes. */
  readonly checksum: Buffer;
  /** The earliest useful time of the next request, in epoch ms; undefined without a recommendation. */
  readonly nextDiffAtMs: number | undefined;
}

/** The response of `hashes:search`. */
export interface HashSearch {
  readonly threats: readonly ListedHash[];
  /** Until then all other hashes with this prefix are harmless, in epoch ms; 0 for never. */
  readonly harmlessUntilMs: number;
}

export interface ListedHash {
  readonly hash: Buffer;
  readonly types: readonly ThreatType[];
  /** The entry may be cached until then, in epoch ms. */
  readonly untilMs: number;
}

const PREFIX_BYTES_MIN = 4;
const HASH_BYTES = 32;

/** @throws for a malformed response; the checksum verifies its content */
export function readListDiff(answer: unknown): ListDiff {
  const { responseType, additions, removals, newVersionToken, checksum, recommendedNextDiff } =
    fieldsOf(answer);
  if (responseType !== 'RESET' && responseType !== 'DIFF') throw new Error('an unknown response type');
  return {
    isReset: responseType === 'RESET',
    additions: itemsOf(fieldsOf(additions)['rawHashes']).map(readRun),
    removals: itemsOf(fieldsOf(fieldsOf(removals)['rawIndices'])['indices']).map(wholeNumber),
    versionToken: textOf(newVersionToken),
    checksum: bytesOf(fieldsOf(checksum)['sha256']),
    nextDiffAtMs: recommendedNextDiff === undefined ? undefined : timeOf(recommendedNextDiff),
  };
}

/** @throws for a malformed response */
export function readHashSearch(answer: unknown): HashSearch {
  const { threats, negativeExpireTime } = fieldsOf(answer);
  return {
    threats: itemsOf(threats).map(readThreat),
    harmlessUntilMs: negativeExpireTime === undefined ? 0 : timeOf(negativeExpireTime),
  };
}

function readRun(item: unknown): HashRun {
  const { prefixSize, rawHashes } = fieldsOf(item);
  const prefixBytes = wholeNumber(prefixSize);
  const sorted = bytesOf(rawHashes);
  if (prefixBytes < PREFIX_BYTES_MIN || prefixBytes > HASH_BYTES || sorted.length % prefixBytes !== 0)
    throw new Error('hashes of an invalid length');
  return { prefixBytes, sorted };
}

/** Ignores types that are not in use. */
function readThreat(item: unknown): ListedHash {
  const { hash, threatTypes: types, expireTime } = fieldsOf(item);
  const bytes = bytesOf(hash);
  if (bytes.length !== HASH_BYTES) throw new Error('a hash of an invalid length');
  const named = itemsOf(types);
  return {
    hash: bytes,
    types: threatTypes.filter((type) => named.includes(type)),
    untilMs: expireTime === undefined ? 0 : timeOf(expireTime),
  };
}

/** Protobuf's JSON omits empty fields. */
function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (value === undefined) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not an object');
  return value as Readonly<Record<string, unknown>>;
}

function itemsOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Error('not a list');
  return value as readonly unknown[];
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new Error('not a string');
  return value;
}

function bytesOf(value: unknown): Buffer {
  return Buffer.from(textOf(value), 'base64');
}

function wholeNumber(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new Error('not a non-negative integer');
  return value as number;
}

function timeOf(value: unknown): number {
  const time = Date.parse(textOf(value));
  if (Number.isNaN(time)) throw new Error('not a time');
  return time;
}
