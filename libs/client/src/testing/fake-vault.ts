import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '../client.js';
import { CHUNK_BYTES } from '../transfer/chunk-size.js';
import type { VaultAccess } from '../transfer/vault-access.js';

/** A version of a file. */
export interface FakeVersion {
  readonly id: string;
  readonly content: Buffer;
}

/** A file of the vault. */
export interface FakeIngot {
  readonly id: string;
  readonly name: string;
  /** The active version; undefined before the first is complete. */
  version?: FakeVersion;
}

interface FakeUpload {
  readonly ingot: FakeIngot;
  readonly size: number;
  readonly chunks: Buffer[];
}

/** A link to a file, which opens once. */
interface FakeLink {
  readonly ingot: FakeIngot;
  isConsumed: boolean;
}

/** What a test does to a response or request. */
export interface FakeFaults {
  /** Called with the bytes of a download that were sent; `cut` ends its connection. */
  onSent?: (bytes: number) => 'cut' | undefined | Promise<'cut' | undefined>;
  /** Called with the bytes of a chunk as they arrive. */
  onReceived?: (bytes: number) => void | Promise<void>;
  /** Called when a link was consumed, before it is answered. */
  onOpened?: () => void | Promise<void>;
  /** The status of the next requests to Forge, in place of what they ask for. */
  readonly refusals: number[];
}

const PIECE_BYTES = 65_536;

/**
 * The API and Forge as far as transfers need them, in memory: one vault, whose files have versions and hashes. It answers by
 * the contract; what it knows of chunks and hashes it computes by itself.
 */
export class FakeVault {
  readonly ingots = new Map<string, FakeIngot>();
  readonly links = new Map<string, FakeLink>();
  readonly faults: FakeFaults = { refusals: [] };
  /** Method and path of each request, without queries. */
  readonly calls: string[] = [];
  /** False for a release before content hashes. */
  namesVersions = true;
  /** Complete uploads do not become active, because a service is down. */
  isSlow = false;
  /** False for versions from before content hashes. */
  hasHashes = true;
  readonly #uploads = new Map<string, FakeUpload>();
  readonly #urls = new Map<
    string,
    { readonly version: FakeVersion; readonly isStreaming: boolean; isUsed: boolean }
  >();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {
    server.on('request', (request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<FakeVault> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FakeVault(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  get access(): VaultAccess {
    return {
      vaultId: 'vlt_1',
      client: createClient({ url: this.url, apiKey: 'vk', vat: 'vat', retry: { attempts: 1 } }),
    };
  }

  /** Stores a content under a name. */
  store(name: string, content: Buffer): FakeIngot {
    const ingot = this.#ingotNamed(name);
    ingot.version = newVersion(content);
    return ingot;
  }

  /** Makes a link that opens once. */
  share(ingot: FakeIngot): string {
    const code = randomBytes(9).toString('base64url');
    this.links.set(code, { ingot, isConsumed: false });
    return `${this.url}/${code}`;
  }

  /** All URLs end, as after twelve hours. */
  endUrls(): void {
    this.#urls.clear();
  }

  #ingotNamed(name: string): FakeIngot {
    const known = [...this.ingots.values()].find((ingot) => ingot.name === name);
    if (known) return known;
    const ingot = { id: `ing_${randomBytes(6).toString('hex')}`, name };
    this.ingots.set(ingot.id, ingot);
    return ingot;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const call = `${request.method} ${url.pathname}`;
    this.calls.push(call);
    try {
      const isForge = /^\/(encrypt|decrypt)/.test(url.pathname);
      const refusal = isForge ? this.faults.refusals.shift() : undefined;
      if (refusal !== undefined) return void response.writeHead(refusal).end();
      if (url.pathname.startsWith('/decrypt')) return await this.#decrypt(url, request, response);
      if (url.pathname.startsWith('/encrypt')) return await this.#encrypt(url, request, response);
      await this.#answer(call, await textOf(request), response);
    } catch {
      response.destroy();
    }
  }

  async #answer(call: string, body: string, response: ServerResponse): Promise<void> {
    const input = JSON.parse(body || '{}') as {
      name?: string;
      size_bytes?: number;
      describe?: boolean;
      resume?: boolean;
    };
    const ref = decodeURIComponent(/\/ingots\/([^/]+)/.exec(call)?.[1] ?? '');
    const ingot = [...this.ingots.values()].find(({ id, name }) => ref === id || ref === `:${name}`);
    const [, code = ''] = /^POST \/([\w-]+)\/(?:burn|open)$/.exec(call) ?? [];
    const link = this.links.get(code);
    if (link) return this.#open(link, input, response);
    if (call === 'POST /v1/vaults/vlt_1/ingots') return this.#create(input, response);
    if (!ingot)
      return send(response, 404, { error: { code: 'NOT_FOUND', message: 'Unknown.', details: {} } });
    if (!ingot.version && call.endsWith('/download'))
      return send(response, 409, { error: { code: 'CONFLICT', message: 'Not ready.', details: {} } });
    if (call.endsWith('/download'))
      return sendData(response, this.#ticket(ingot, ingot.version as FakeVersion));
    const status = ingot.version ? 'active' : 'uploading';
    sendData(response, { ingot_id: ingot.id, name: ingot.name, status, ...this.#named(ingot.version) });
  }

  #named(version: FakeVersion | undefined): object {
    if (!this.namesVersions) return {};
    if (!version) return { version_id: null, content_hash: null };
    return { version_id: version.id, content_hash: this.hasHashes ? hashOfContent(version.content) : null };
  }

  #ticket(ingot: FakeIngot, version: FakeVersion, isStreaming = true): object {
    const istk = randomBytes(16).toString('base64url');
    this.#urls.set(istk, { version, isStreaming, isUsed: false });
    return {
      status: 'ready',
      download_url: `${this.url}/decrypt?istk=${istk}`,
      ingot_id: ingot.id,
      name: ingot.name,
      content_type: 'application/octet-stream',
      size_bytes: version.content.length,
      stream: isStreaming,
      ...this.#named(version),
    };
  }

  async #open(
    link: FakeLink,
    { describe, resume }: { describe?: boolean; resume?: boolean },
    response: ServerResponse,
  ): Promise<void> {
    const version = link.ingot.version as FakeVersion;
    const details = { reason: 'LINK_CONSUMED', state: 'consumed' };
    if (link.isConsumed)
      return send(response, 403, { error: { code: 'FORBIDDEN', message: 'It was opened.', details } });
    const described = { type: 'file', name: link.ingot.name, size_bytes: version.content.length };
    if (describe) return send(response, 200, { ...described, once: true });
    link.isConsumed = true;
    await this.faults.onOpened?.();
    const isStreaming = resume === true && this.namesVersions;
    const { download_url } = this.#ticket(link.ingot, version, isStreaming) as { download_url: string };
    const named = isStreaming
      ? { ...this.#named(version), expires_at: Math.floor(Date.now() / 1_000) + 43_200 }
      : {};
    send(response, 200, { ...described, download_url, ...named });
  }

  #create(
    { name = '', size_bytes = 0 }: { name?: string; size_bytes?: number },
    response: ServerResponse,
  ): void {
    const ingot = this.#ingotNamed(name);
    const id = randomBytes(16).toString('base64url');
    this.#uploads.set(id, { ingot, size: size_bytes, chunks: [] });
    sendData(
      response,
      { ingot_id: ingot.id, forge_url: `${this.url}/encrypt?istk=${id}`, status: 'uploading' },
      201,
    );
  }

  async #encrypt(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = url.searchParams.get('istk') ?? url.pathname.split('/')[2] ?? '';
    const upload = this.#uploads.get(id);
    const headers = { 'Tus-Resumable': '1.0.0' };
    if (!upload) return void response.writeHead(404, headers).end();
    if (request.method === 'POST')
      return void response.writeHead(201, { ...headers, Location: `${this.url}/encrypt/${id}` }).end();
    if (request.method === 'DELETE') {
      this.#uploads.delete(id);
      return void response.writeHead(204, headers).end();
    }
    if (request.method === 'PATCH' && !(await this.#append(upload, request)))
      return void response.writeHead(400, headers).end();
    const offset = offsetOf(upload);
    const sizes = { 'Upload-Offset': String(offset), 'Upload-Length': String(upload.size) };
    response.writeHead(request.method === 'HEAD' ? 200 : 204, { ...headers, ...sizes }).end();
  }

  /** A chunk counts when all of it has arrived; the last one makes the content active. */
  async #append(upload: FakeUpload, request: IncomingMessage): Promise<boolean> {
    const start = Number(request.headers['upload-offset']);
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const part of request as AsyncIterable<Buffer>) {
      parts.push(part);
      bytes += part.length;
      await this.faults.onReceived?.(bytes);
    }
    const expected = Math.min(CHUNK_BYTES, upload.size - start);
    if (start !== offsetOf(upload) || bytes !== expected) return false;
    upload.chunks.push(Buffer.concat(parts));
    if (offsetOf(upload) === upload.size && !this.isSlow)
      upload.ingot.version = newVersion(Buffer.concat(upload.chunks));
    return true;
  }

  async #decrypt(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const known = this.#urls.get(url.searchParams.get('istk') ?? '');
    if (!known || (known.isUsed && !known.isStreaming))
      return send(response, 401, { error: { code: 'AUTHENTICATION_ERROR', message: 'Ended.', details: {} } });
    known.isUsed = true;
    const { id, content } = known.version;
    const etag = `"${id}"`;
    const [, first = '0', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const isSame = request.headers['if-range'] === undefined || request.headers['if-range'] === etag;
    const isRange = request.headers.range !== undefined && isSame;
    const start = isRange ? Number(first) : 0;
    const end = isRange && last !== '' ? Number(last) + 1 : content.length;
    response.writeHead(isRange ? 206 : 200, {
      'Content-Type': 'application/octet-stream',
      'Content-Length': end - start,
      ...(this.namesVersions ? { ETag: etag } : {}),
      ...(isRange ? { 'Content-Range': `bytes ${start}-${end - 1}/${content.length}` } : {}),
    });
    await this.#stream(content.subarray(start, end), response);
  }

  async #stream(content: Buffer, response: ServerResponse): Promise<void> {
    for (let at = 0; at < content.length; at += PIECE_BYTES) {
      if ((await this.faults.onSent?.(at)) === 'cut') return void response.destroy();
      if (!response.write(content.subarray(at, at + PIECE_BYTES))) await writable(response);
      if (response.destroyed) return;
    }
    response.end();
  }
}

/** The hash of a content as the API names it, computed from the definition. */
export function hashOfContent(content: Buffer): string {
  const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
  const hashes: Buffer[] = [];
  for (let at = 0; at < content.length; at += CHUNK_BYTES)
    hashes.push(sha256(content.subarray(at, at + CHUNK_BYTES)));
  return (hashes.length === 1 ? (hashes[0] as Buffer) : sha256(Buffer.concat(hashes))).toString('hex');
}

function newVersion(content: Buffer): FakeVersion {
  return { id: `ver_${randomBytes(8).toString('hex')}`, content };
}

function offsetOf({ chunks }: FakeUpload): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}

/** Resolves when the response takes more, or its connection is gone. */
function writable(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString();
}

function sendData(response: ServerResponse, data: object, status = 200): void {
  send(response, status, { data, meta: { request_id: 'req_1' } });
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
