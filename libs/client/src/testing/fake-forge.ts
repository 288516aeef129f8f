import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { CHUNK_BYTES } from '../transfer/chunk-size.js';
import { send, type FakeFaults, type FakeIngot, type FakeVersion } from './fake-parts.js';

interface FakeUpload {
  readonly ingot: FakeIngot;
  readonly size: number;
  readonly chunks: Buffer[];
}

interface FakeDownload {
  readonly version: FakeVersion;
  readonly isStreaming: boolean;
  isUsed: boolean;
}

const PIECE_BYTES = 65_536;

/** Forge as far as transfers need it, in memory. */
export class FakeForge {
  /** Complete uploads do not become active, because a service is down. */
  isSlow = false;
  /** False for a release before ETags. */
  hasEtags = true;
  readonly #uploads = new Map<string, FakeUpload>();
  readonly #downloads = new Map<string, FakeDownload>();

  constructor(
    private readonly origin: () => string,
    private readonly faults: FakeFaults,
  ) {}

  /** Admits an upload, and returns its URL. */
  admitUpload(ingot: FakeIngot, size: number): string {
    const id = randomBytes(16).toString('base64url');
    this.#uploads.set(id, { ingot, size, chunks: [] });
    return `${this.origin()}/encrypt?istk=${id}`;
  }

  /** Admits a download, and returns its URL. */
  admitDownload(version: FakeVersion, isStreaming: boolean): string {
    const istk = randomBytes(16).toString('base64url');
    this.#downloads.set(istk, { version, isStreaming, isUsed: false });
    return `${this.origin()}/decrypt?istk=${istk}`;
  }

  /** All URLs of downloads end, as after twelve hours. */
  endUrls(): void {
    this.#downloads.clear();
  }

  async serve(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = this.faults.refusals.shift();
    if (refusal !== undefined) response.writeHead(refusal).end();
    else if (url.pathname.startsWith('/decrypt')) await this.#decrypt(url, request, response);
    else await this.#encrypt(url, request, response);
  }

  async #encrypt(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = url.searchParams.get('istk') ?? url.pathname.split('/')[2] ?? '';
    const upload = this.#uploads.get(id);
    const headers = { 'Tus-Resumable': '1.0.0' };
    if (!upload) return void response.writeHead(404, headers).end();
    if (request.method === 'POST')
      return void response.writeHead(201, { ...headers, Location: `${this.origin()}/encrypt/${id}` }).end();
    if (request.method === 'DELETE') {
      this.#uploads.delete(id);
      return void response.writeHead(204, headers).end();
    }
    if (request.method === 'PATCH' && !(await this.#append(upload, request)))
      return void response.writeHead(400, headers).end();
    const sizes = { 'Upload-Offset': String(offsetOf(upload)), 'Upload-Length': String(upload.size) };
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
    const known = this.#downloads.get(url.searchParams.get('istk') ?? '');
    if (!known || (known.isUsed && !known.isStreaming))
      return send(response, 401, { error: { code: 'AUTHENTICATION_ERROR', message: 'Ended.', details: {} } });
    known.isUsed = true;
    const { id, content } = known.version;
    const etag = `"${id}"`;
    const { range, 'if-range': condition = etag } = request.headers;
    const [, first = '0', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
    const isRange = range !== undefined && condition === etag;
    const start = isRange ? Number(first) : 0;
    const end = isRange && last !== '' ? Number(last) + 1 : content.length;
    response.writeHead(isRange ? 206 : 200, {
      'Content-Type': 'application/octet-stream',
      'Content-Length': end - start,
      ...(this.hasEtags ? { ETag: etag } : {}),
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

/** A version with an id of its own. */
export function newVersion(content: Buffer): FakeVersion {
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
