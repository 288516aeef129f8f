import type { WebRiskAccess } from '../config.js';
import type { HashRun } from './hash-list.js';

/** A first answer holds a whole list in base64. */
const DIFF_BYTES_MAX = 80 * 1024 * 1024;
const DIFF_MS_MAX = 60_000;
const SEARCH_BYTES_MAX = 1024 * 1024;

/**
 * Google's Web Risk, the two methods of its Update API (`v1`). It learns the first bytes of hashes, and those only when
 * they are on its lists; no URL. The key goes in a header, where no log of addresses has it.
 */
export class WebRiskApi {
  constructor(private readonly access: WebRiskAccess) {}

  /** What has changed since `versionToken`; the whole list when that is empty. @throws after a minute, or for any failure. */
  async computeDiff(type: ThreatType, versionToken: string, signal: AbortSignal): Promise<ListDiff> {
    const query = new URLSearchParams({ threatType: type, 'constraints.supportedCompressions': 'RAW' });
    if (versionToken !== '') query.set('versionToken', versionToken);
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(DIFF_MS_MAX)]);
    return readListDiff(await this.#get('/v1/threatLists:computeDiff', query, inTime, DIFF_BYTES_MAX));
  }

  /** The whole hashes that begin so, as far as they are listed. @throws when `signal` ends, or for any failure. */
  async searchHashes(prefix: Buffer, signal: AbortSignal): Promise<HashSearch> {
    const query = new URLSearchParams({ hashPrefix: prefix.toString('base64') });
    for (const type of threatTypes) query.append('threatTypes', type);
    return readHashSearch(await this.#get('/v1/hashes:search', query, signal, SEARCH_BYTES_MAX));
  }

  async #get(path: string, query: URLSearchParams, signal: AbortSignal, bytesMax: number): Promise<unknown> {
    const response = await fetch(`${this.access.origin}${path}?${query.toString()}`, {
      headers: { accept: 'application/json', 'x-goog-api-key': this.access.apiKey.reveal() },
      redirect: 'error', // to wherever, the key would go along
      signal,
    });
    const body = await bodyOf(response, bytesMax);
    if (response.status !== 200) throw new Error(`Web Risk answered ${response.status}`);
    return JSON.parse(body.toString('utf8')) as unknown;
  }
}

async function bodyOf(response: Response, bytesMax: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += (chunk as Uint8Array).length;
    if (bytes > bytesMax) throw new Error('Web Risk answered too much');
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks);
}

/** The lists of Web Risk that are asked for, and what each means to a visitor; the worst first. */
export const threatTypes = ['MALWARE', 'SOCIAL_ENGINEERING', 'UNWANTED_SOFTWARE'] as const;
export type ThreatType = (typeof threatTypes)[number];

/** What `threatLists:computeDiff` answers. */
export interface ListDiff {
  /** The changes make a list of their own and are not for the one that is there. */
  readonly isReset: boolean;
  readonly additions: readonly HashRun[];
  readonly removals: readonly number[];
  /** Goes into the next request; opaque. */
  readonly versionToken: string;
  /** Of the list after the changes. */
  readonly checksum: Buffer;
  /** Before this a further request is in vain, in epoch ms; undefined when nothing is said. */
  readonly nextDiffAtMs: number | undefined;
}

/** What `hashes:search` answers. */
export interface HashSearch {
  readonly threats: readonly ListedHash[];
  /** Until when all other hashes of this beginning count as harmless, in epoch ms; 0: not at all. */
  readonly harmlessUntilMs: number;
}

export interface ListedHash {
  readonly hash: Buffer;
  readonly types: readonly ThreatType[];
  /** Until when this may be believed without asking again, in epoch ms. */
  readonly untilMs: number;
}

const PREFIX_BYTES_MIN = 4;
const HASH_BYTES = 32;

/** @throws for what is no such answer; what it says is checked by the checksum. */
export function readListDiff(answer: unknown): ListDiff {
  const { responseType, additions, removals, newVersionToken, checksum, recommendedNextDiff } =
    fieldsOf(answer);
  if (responseType !== 'RESET' && responseType !== 'DIFF') throw new Error('an unknown kind of diff');
  return {
    isReset: responseType === 'RESET',
    additions: itemsOf(fieldsOf(additions)['rawHashes']).map(readRun),
    removals: itemsOf(fieldsOf(fieldsOf(removals)['rawIndices'])['indices']).map(wholeNumber),
    versionToken: textOf(newVersionToken),
    checksum: bytesOf(fieldsOf(checksum)['sha256']),
    nextDiffAtMs: recommendedNextDiff === undefined ? undefined : timeOf(recommendedNextDiff),
  };
}

/** @throws for what is no such answer. */
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
    throw new Error('hashes of an impossible length');
  return { prefixBytes, sorted };
}

/** Types that were not asked for say nothing here. */
function readThreat(item: unknown): ListedHash {
  const { hash, threatTypes: types, expireTime } = fieldsOf(item);
  const bytes = bytesOf(hash);
  if (bytes.length !== HASH_BYTES) throw new Error('a hash of an impossible length');
  const named = itemsOf(types);
  return {
    hash: bytes,
    types: threatTypes.filter((type) => named.includes(type)),
    untilMs: expireTime === undefined ? 0 : timeOf(expireTime),
  };
}

/** Protobuf's JSON leaves out what is empty. */
function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (value === undefined) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('no object');
  return value as Readonly<Record<string, unknown>>;
}

function itemsOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Error('no list');
  return value as readonly unknown[];
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new Error('no text');
  return value;
}

function bytesOf(value: unknown): Buffer {
  return Buffer.from(textOf(value), 'base64');
}

function wholeNumber(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new Error('no whole number');
  return value as number;
}

function timeOf(value: unknown): number {
  const time = Date.parse(textOf(value));
  if (Number.isNaN(time)) throw new Error('no time');
  return time;
}
