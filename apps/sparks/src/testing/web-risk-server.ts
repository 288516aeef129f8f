import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ThreatType } from '../safety/web-risk-api.js';

export const WEB_RISK_KEY = 'web-risk-key-of-a-test';

export interface WebRiskRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly key: string | undefined;
}

/** The behavior of the server: a correct answer, no answer, an error status, or a given body. */
export type WebRiskMode = 'answer' | 'silence' | { readonly status: number } | { readonly body: string };

/** A fake of Web Risk's Update API, with the lists and threats of a test. */
export class WebRiskServer {
  mode: WebRiskMode = 'answer';
  /** Overrides `mode` for computeDiff. */
  diffMode: WebRiskMode | undefined;
  /** The number of diffs to answer with a wrong checksum. */
  wrongChecksums = 0;
  recommendedNextDiff: string | undefined;
  /** The cache time of positive and negative answers. */
  ttlSeconds = 300;
  readonly requests: WebRiskRequest[] = [];
  /** The full hashes that hashes:search finds, in hex. */
  readonly #threats = new Map<string, ThreatType[]>();
  /** The entries of each version of a list, in hex. */
  readonly #versions = new Map<ThreatType, string[][]>();

  private constructor(private readonly server: Server) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) =>
      this.#serve(request, response),
    );
  }

  static async start(): Promise<WebRiskServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new WebRiskServer(server);
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Publishes the next version of a list: entries of 4 to 32 bytes, in hex. */
  publish(type: ThreatType, ...entries: readonly string[]): void {
    this.#versionsOf(type).push([...entries].sort());
  }

  /** Makes an expression a threat, and returns the prefix of its hash for a list. */
  know(expression: string, type: ThreatType, prefixBytes = 4): string {
    const hash = createHash('sha256').update(expression, 'latin1').digest('hex');
    this.#threats.set(hash, [...(this.#threats.get(hash) ?? []), type]);
    return hash.slice(0, prefixBytes * 2);
  }

  /** Makes an expression harmless, although a list may contain its prefix. */
  forget(expression: string): void {
    this.#threats.delete(createHash('sha256').update(expression, 'latin1').digest('hex'));
  }

  requestsTo(method: 'computeDiff' | 'search'): readonly WebRiskRequest[] {
    return this.requests.filter(({ path }) => path.endsWith(method));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://server');
    const isDiff = pathname === '/v1/threatLists:computeDiff';
    const key = request.headers['x-goog-api-key'];
    this.requests.push({
      path: pathname,
      query: searchParams,
      key: typeof key === 'string' ? key : undefined,
    });
    const mode = (isDiff && this.diffMode) || this.mode;
    if (mode === 'silence') return;
    if (mode !== 'answer' && 'body' in mode) return void response.end(mode.body);
    const status = mode === 'answer' ? (key === WEB_RISK_KEY ? 200 : 403) : mode.status;
    response.writeHead(status, { 'content-type': 'application/json', location: '/elsewhere' });
    response.end(JSON.stringify(isDiff ? this.#diff(searchParams) : this.#search(searchParams)));
  }

  #diff(query: URLSearchParams): unknown {
    const versions = this.#versionsOf(query.get('threatType') as ThreatType);
    const now = versions.at(-1) ?? [];
    const token = query.get('versionToken');
    const before = token === null ? undefined : versions[Number(Buffer.from(token, 'base64').toString())];
    const rightSum = createHash('sha256')
      .update(Buffer.from(now.join(''), 'hex'))
      .digest();
    const isWrong = this.wrongChecksums-- > 0;
    return {
      responseType: before ? 'DIFF' : 'RESET',
      additions: { rawHashes: rawHashes(now.filter((entry) => !before?.includes(entry))) },
      ...(before && { removals: { rawIndices: { indices: indicesOfGone(before, now) } } }),
      newVersionToken: Buffer.from(`${versions.length - 1}`).toString('base64'),
      checksum: { sha256: (isWrong ? Buffer.alloc(32) : rightSum).toString('base64') },
      recommendedNextDiff: this.recommendedNextDiff,
    };
  }

  #search(query: URLSearchParams): unknown {
    const prefix = Buffer.from(query.get('hashPrefix') ?? '', 'base64').toString('hex');
    const until = new Date(Date.now() + this.ttlSeconds * 1_000).toISOString();
    const found = [...this.#threats].filter(([hash]) => hash.startsWith(prefix));
    return {
      threats: found.map(([hash, threatTypes]) => ({
        threatTypes,
        hash: Buffer.from(hash, 'hex').toString('base64'),
        expireTime: until,
      })),
      negativeExpireTime: until,
    };
  }

  #versionsOf(type: ThreatType): string[][] {
    const versions = this.#versions.get(type) ?? [];
    this.#versions.set(type, versions);
    return versions;
  }
}

/** Groups entries by length, as the API does. */
function rawHashes(entries: readonly string[]): unknown {
  const lengths = [...new Set(entries.map((entry) => entry.length))];
  return lengths.map((length) => ({
    prefixSize: length / 2,
    rawHashes: Buffer.from(entries.filter((entry) => entry.length === length).join(''), 'hex').toString(
      'base64',
    ),
  }));
}

function indicesOfGone(before: readonly string[], now: readonly string[]): readonly number[] {
  return before.flatMap((entry, index) => (now.includes(entry) ? [] : [index]));
}
