import type { Secret } from '@vaultsvc/config';
import {
  readHashSearch,
  readListDiff,
  threatTypes,
  type HashSearch,
  type ListDiff,
  type ThreatType,
} from './web-risk-answers.js';

/** A first answer holds a whole list in base64. */
const DIFF_BYTES_MAX = 80 * 1024 * 1024;
const DIFF_MS_MAX = 60_000;
const SEARCH_BYTES_MAX = 1024 * 1024;

/** Where Web Risk is, and with which key it is asked. */
export interface WebRiskAccess {
  /** An origin of the operator's choice. */
  readonly origin: string;
  readonly apiKey: Secret;
}

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
