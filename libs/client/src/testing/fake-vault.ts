import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '../client.js';
import { CHUNK_BYTES } from '../transfer/chunk-size.js';
import type { VaultAccess } from '../transfer/vault-access.js';
import { FakeForge, newVersion } from './fake-forge.js';
import { send, type FakeFaults, type FakeIngot, type FakeVersion } from './fake-parts.js';

export type { FakeIngot, FakeVersion } from './fake-parts.js';

/** A link to a file, which opens once. */
interface FakeLink {
  readonly ingot: FakeIngot;
  isConsumed: boolean;
}

/** The fields of bodies that are read. */
interface Input {
  readonly name?: string;
  readonly size_bytes?: number;
  readonly modified_at?: number;
  readonly describe?: boolean;
  readonly resume?: boolean;
}

/**
 * The API and Forge as far as transfers need them, in memory: one vault, whose files have versions and hashes. It answers by the
 * contract; what it knows of chunks and hashes it computes by itself.
 */
export class FakeVault {
  readonly ingots = new Map<string, FakeIngot>();
  readonly links = new Map<string, FakeLink>();
  readonly faults: FakeFaults = { refusals: [] };
  /** Method and path of each request, without queries. */
  readonly calls: string[] = [];
  /** False for versions from before content hashes. */
  hasHashes = true;
  readonly forge = new FakeForge(() => this.url, this.faults);

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
    const options = { url: this.url, apiKey: 'vk', vat: 'vat', retry: { attempts: 1 } };
    return { vaultId: 'vlt_1', client: createClient(options) };
  }

  /** False for a release before content hashes, which names no versions and does not know `resume`. */
  get namesVersions(): boolean {
    return this.forge.hasEtags;
  }

  set namesVersions(does: boolean) {
    this.forge.hasEtags = does;
  }

  /** Stores a content under a name. */
  store(name: string, content: Buffer, modifiedAt?: number): FakeIngot {
    return Object.assign(this.#ingotNamed(name), { version: newVersion(content), modifiedAt });
  }

  /** Makes a link that opens once. */
  share(ingot: FakeIngot): string {
    const code = randomBytes(9).toString('base64url');
    this.links.set(code, { ingot, isConsumed: false });
    return `${this.url}/${code}`;
  }

  /** All URLs end, as after twelve hours. */
  endUrls(): void {
    this.forge.endUrls();
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
      if (/^\/(encrypt|decrypt)/.test(url.pathname)) return await this.forge.serve(url, request, response);
      await this.#answer(call, JSON.parse((await textOf(request)) || '{}') as Input, response);
    } catch {
      response.destroy();
    }
  }

  async #answer(call: string, input: Input, response: ServerResponse): Promise<void> {
    const [, code = ''] = /^POST \/([\w-]+)\/(?:burn|open)$/.exec(call) ?? [];
    const link = this.links.get(code);
    if (link) return this.#open(link, input, response);
    if (call === 'POST /v1/vaults/vlt_1/ingots') return this.#create(input, response);
    const ref = decodeURIComponent(/\/ingots\/([^/]+)/.exec(call)?.[1] ?? '');
    const ingot = [...this.ingots.values()].find(({ id, name }) => ref === id || ref === `:${name}`);
    if (!ingot) return refuse(response, 404, 'NOT_FOUND');
    const { id: ingot_id, name, version } = ingot;
    if (call.endsWith('/download'))
      return version ? sendData(response, this.#ticket(ingot, version)) : refuse(response, 409, 'CONFLICT');
    const status = version ? 'active' : 'uploading';
    sendData(response, { ingot_id, name, status, ...this.#named(ingot, version) });
  }

  #named({ modifiedAt }: FakeIngot, version: FakeVersion | undefined): object {
    if (!this.namesVersions) return {};
    const modified_at = modifiedAt ?? null;
    if (!version) return { version_id: null, content_hash: null, modified_at };
    const content_hash = this.hasHashes ? hashOfContent(version.content) : null;
    return { version_id: version.id, content_hash, modified_at };
  }

  #ticket(ingot: FakeIngot, version: FakeVersion): object {
    const { id, name } = ingot;
    return {
      status: 'ready',
      download_url: this.forge.admitDownload(version, true),
      ingot_id: id,
      name,
      content_type: 'application/octet-stream',
      size_bytes: version.content.length,
      stream: true,
      ...this.#named(ingot, version),
    };
  }

  async #open(link: FakeLink, { describe, resume }: Input, response: ServerResponse): Promise<void> {
    const details = { reason: 'LINK_CONSUMED', state: 'consumed' };
    if (link.isConsumed) return refuse(response, 403, 'FORBIDDEN', details);
    const version = link.ingot.version as FakeVersion;
    const described = { type: 'file', name: link.ingot.name, size_bytes: version.content.length };
    if (describe) return send(response, 200, { ...described, once: true });
    link.isConsumed = true;
    await this.faults.onOpened?.();
    const canResume = resume === true && this.namesVersions;
    const download_url = this.forge.admitDownload(version, canResume);
    const expires_at = Math.floor(Date.now() / 1_000) + 43_200;
    const resumption = canResume ? { ...this.#named(link.ingot, version), expires_at } : {};
    send(response, 200, { ...described, download_url, ...resumption });
  }

  #create({ name = '', size_bytes = 0, modified_at: modifiedAt }: Input, response: ServerResponse): void {
    const ingot = Object.assign(this.#ingotNamed(name), { modifiedAt });
    const forge_url = this.forge.admitUpload(ingot, size_bytes);
    sendData(response, { ingot_id: ingot.id, forge_url, status: 'uploading' }, 201);
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

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString();
}

function sendData(response: ServerResponse, data: object, status = 200): void {
  send(response, status, { data, meta: { request_id: 'req_1' } });
}

function refuse(response: ServerResponse, status: number, code: string, details: object = {}): void {
  send(response, status, { error: { code, message: `This is ${code}.`, details } });
}
