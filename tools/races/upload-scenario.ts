import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createIngot,
  deleteIngot,
  downloadIngot,
  readIngot,
  replaceIngot,
  type IngotUpload,
} from '@vaultsvc/contracts/vaults';
import { eventually } from '@vaultsvc/testing/waiting';
import { readAndCompare, type RetryingVaultClient } from './retrying-vault-client.js';
import { CHUNK_BYTES, TusTransfer, type TransferEnd } from './tus-transfer.js';
import type { UploadRaceReport } from './upload-report.js';

/** Every content is a piece of these bytes, so that a hundred of them take the memory of one. */
const bytes = randomBytes(2 * CHUNK_BYTES + 8_000_000);

/** A content of this many chunks, unlike any other. */
export function newContent(chunks: number): Buffer {
  const start = randomInt(4_000_000);
  return bytes.subarray(start, start + (chunks - 1) * CHUNK_BYTES + randomInt(1, 4_000_000));
}

const ACTIVE_SECONDS = 90;
/** Longer than anything that is killed here is away, and than what is killed then. */
const READABLE_SECONDS = 90;

/** One ingot that is uploaded while servers are killed. */
export class UploadScenario {
  readonly #name = `race-${randomBytes(8).toString('hex')}.bin`;
  #ingotId = '';
  #content: Buffer = Buffer.alloc(0);

  constructor(
    private readonly vault: RetryingVaultClient,
    private readonly report: UploadRaceReport,
  ) {}

  /** What the ingot must take of the pools in the end. */
  get storedBytes(): number {
    return this.#content.length;
  }

  /** Uploads, and downloads what was uploaded. */
  async plain(content: Buffer): Promise<void> {
    await this.#send(content, () => this.#create(content));
    await this.#verify();
  }

  /** Given up in the middle: nobody can go on with it, and it has no content. Gives what must hold in the end too. */
  async cancelled(content: Buffer): Promise<() => Promise<void>> {
    const { transfer } = await this.#begin(content, () => this.#create(content));
    await transfer.cancel().catch(() => undefined); // Whether its answer was lost shows below.
    const stays = async () => {
      const head = async () => (await this.#head(transfer)).status;
      await this.#dead('a cancelled upload', head, (status) => status === 404);
      const download = async () => (await this.vault.ask(downloadIngot, once(this.#params))).status;
      await this.#dead('content that was cancelled', download, (status) => status === 409);
    };
    await stays();
    return stays;
  }

  /** Overtaken by a newer upload of the same name, which alone becomes the content. */
  async superseded(old: Buffer, content: Buffer): Promise<() => Promise<void>> {
    const { transfer } = await this.#begin(old, () => this.#create(old));
    await Promise.all([
      this.#send(content, () => this.#create(content)),
      transfer.run().catch(() => undefined), // It may come to its end first, and is then content that was replaced.
    ]);
    await this.#verify();
    const offset = () => this.#offsetOf(transfer);
    return () =>
      this.#dead('a superseded upload', offset, (seen) => seen === null || seen === String(old.length));
  }

  /** New content in the place of the old, whose download goes on. */
  async replaced(old: Buffer, content: Buffer): Promise<void> {
    await this.plain(old);
    const body = { stream: true };
    const { download_url } = await this.vault.get(downloadIngot, { params: this.#params, body });
    await this.#send(content, () => this.#replace(content));
    await this.#verify();
    await this.#readUntilWhole(() => Promise.resolve(download_url), old);
  }

  /** URLs that were given out before its deletion are dead after it. */
  async deleted(content: Buffer): Promise<() => Promise<void>> {
    await this.plain(content);
    const urls: string[] = [];
    for (const stream of [true, false])
      urls.push(
        (await this.vault.get(downloadIngot, { params: this.#params, body: { stream } })).download_url,
      );
    const { status } = await this.vault.ask(deleteIngot, { params: this.#params });
    if (status !== 204 && status !== 404) throw new Error(`deletion is answered ${status}`);
    const stay = async () => {
      for (const url of urls)
        await this.#dead(
          'a deleted file',
          () => readAndCompare(url, content),
          (end) => end === 'refused',
        );
    };
    await stay();
    this.#content = Buffer.alloc(0);
    return stay;
  }

  get #params() {
    return { vault_id: this.vault.vaultId, ingot_id: this.#ingotId };
  }

  #create({ length: size_bytes }: Buffer): Promise<IngotUpload> {
    const body = { name: this.#name, size_bytes, content_type: 'application/octet-stream' };
    return this.vault.get(createIngot, { params: { vault_id: this.vault.vaultId }, body });
  }

  #replace({ length: size_bytes }: Buffer): Promise<IngotUpload> {
    return this.vault.get(replaceIngot, { params: this.#params, body: { size_bytes } });
  }

  /** Uploads as a consumer does: resumes what was answered, and opens anew what was not. */
  async #send(content: Buffer, open: () => Promise<IngotUpload>): Promise<void> {
    await this.#transfer(content, open, Infinity);
    this.#content = content;
    this.report.whole += 1;
  }

  /** Sends a first chunk and leaves it there. */
  async #begin(content: Buffer, open: () => Promise<IngotUpload>) {
    return { transfer: await this.#transfer(content, open, CHUNK_BYTES) };
  }

  async #transfer(
    content: Buffer,
    open: () => Promise<IngotUpload>,
    stopAfter: number,
  ): Promise<TusTransfer> {
    for (;;) {
      const { forge_url, ingot_id } = await open();
      if (this.#ingotId !== '' && this.#ingotId !== ingot_id) this.report.duplicateIngots += 1;
      this.#ingotId = ingot_id;
      const transfer = new TusTransfer(content, forge_url, () => (this.report.done += 1));
      const end = await transfer.run({ stopAfter });
      this.#count(transfer, end);
      if (end !== 'spent') return transfer;
    }
  }

  #count({ lostChunks, resumes }: TusTransfer, end: TransferEnd): void {
    this.report.lostChunks += lostChunks;
    this.report.resumes += resumes;
    if (end === 'spent') this.report.restarted += 1;
    if (end === 'gone') this.report.lostUploads += 1;
  }

  /** The content becomes the ingot's, and downloads give it, byte for byte. */
  async #verify(): Promise<void> {
    const size = this.#content.length;
    await eventually(
      () => this.vault.get(readIngot, { params: this.#params }),
      ({ status, size_bytes }) => status === 'active' && size_bytes === size,
      ACTIVE_SECONDS,
    );
    await this.#readUntilWhole(
      async () => (await this.vault.get(downloadIngot, once(this.#params))).download_url,
      this.#content,
    );
  }

  async #readUntilWhole(url: () => Promise<string>, content: Buffer): Promise<void> {
    const last = Date.now() + READABLE_SECONDS * 1_000;
    while (Date.now() < last) {
      const end = await readAndCompare(await url(), content);
      if (end === 'equal') return void (this.report.done += 1);
      if (end === 'other') return void (this.report.wrongContents += 1);
      this.report.cutDownloads += 1;
      await delay(200);
    }
    throw new Error(`a download is cut for ${READABLE_SECONDS} s`);
  }

  /** Null when Forge knows no such upload any more. */
  async #offsetOf(transfer: TusTransfer): Promise<string | null> {
    const { status, headers } = await this.#head(transfer);
    if (status === 404) return null;
    return headers.get('upload-offset') ?? `answer ${status}`;
  }

  #head({ url }: TusTransfer): Promise<Response> {
    return fetch(url, { method: 'HEAD', headers: { 'Tus-Resumable': '1.0.0' } });
  }

  /** What has ended stays ended, as soon as everybody has heard of it. */
  async #dead<T>(what: string, look: () => Promise<T>, isDead: (seen: T) => boolean): Promise<void> {
    let last: unknown;
    const isSo = async () => {
      const seen = await look().catch((error: unknown) => void (last = error));
      if (seen !== undefined) last = seen;
      return seen !== undefined && isDead(seen);
    };
    await eventually(isSo, Boolean, ACTIVE_SECONDS).catch(() =>
      this.report.stillUsable.push(`${what} still gives ${String(last)} (${this.#ingotId})`),
    );
  }
}

function once(params: { vault_id: string; ingot_id: string }) {
  return { params, body: { stream: false } };
}
