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
import { compareDownload, type RetryingVaultClient } from './retrying-vault-client.js';
import { CHUNK_BYTES, TusTransfer, type TransferOutcome } from './tus-transfer.js';
import type { UploadRaceReport } from './upload-report.js';

/** Every content is a slice of these bytes, so that a hundred of them share the same memory. */
const bytes = randomBytes(2 * CHUNK_BYTES + 8_000_000);

/** Random content of this many chunks. */
export function newContent(chunks: number): Buffer {
  const start = randomInt(4_000_000);
  return bytes.subarray(start, start + (chunks - 1) * CHUNK_BYTES + randomInt(1, 4_000_000));
}

const ACTIVE_SECONDS = 90;
/** Longer than two restarts of a killed process. */
const READABLE_SECONDS = 90;

/** Uploads one ingot while servers are killed, and verifies the result. */
export class UploadScenario {
  readonly #name = `race-${randomBytes(8).toString('hex')}.bin`;
  #ingotId = '';
  #content: Buffer = Buffer.alloc(0);

  constructor(
    private readonly vault: RetryingVaultClient,
    private readonly report: UploadRaceReport,
  ) {}

  /** The bytes of storage that the ingot must occupy in the end. */
  get storedBytes(): number {
    return this.#content.length;
  }

  /** Uploads a content and downloads it. */
  async upload(content: Buffer): Promise<void> {
    await this.#send(content, () => this.#create(content));
    await this.#verify();
  }

  /**
   * Cancels an upload halfway: it cannot be resumed, and there is no content.
   * @returns a check to repeat after the race
   */
  async cancel(content: Buffer): Promise<() => Promise<void>> {
    const transfer = await this.#sendFirstChunk(content, () => this.#create(content));
    await transfer.cancel().catch(() => undefined); // The checks below notice a failure.
    const check = async () => {
      const head = async () => (await this.#head(transfer)).status;
      await this.#expectUnusable('a cancelled upload', head, (status) => status === 404);
      const download = async () => (await this.vault.send(downloadIngot, once(this.#params))).status;
      await this.#expectUnusable('the content of a cancelled upload', download, (status) => status === 409);
    };
    await check();
    return check;
  }

  /**
   * Starts a second upload of the same name, which supersedes the first one.
   * @returns a check to repeat after the race
   */
  async supersede(old: Buffer, content: Buffer): Promise<() => Promise<void>> {
    const transfer = await this.#sendFirstChunk(old, () => this.#create(old));
    await Promise.all([
      this.#send(content, () => this.#create(content)),
      transfer.run().catch(() => undefined), // It may complete first; its content is then replaced.
    ]);
    await this.#verify();
    const offset = () => this.#offsetOf(transfer);
    return () =>
      this.#expectUnusable(
        'a superseded upload',
        offset,
        (seen) => seen === null || seen === String(old.length),
      );
  }

  /** Replaces the content; the URL of an earlier download still serves the old one. */
  async replace(old: Buffer, content: Buffer): Promise<void> {
    await this.upload(old);
    const body = { stream: true };
    const { download_url } = await this.vault.call(downloadIngot, { params: this.#params, body });
    await this.#send(content, () => this.#replace(content));
    await this.#verify();
    await this.#downloadCompletely(() => Promise.resolve(download_url), old);
  }

  /**
   * Deletes the ingot, which invalidates its download URLs.
   * @returns a check to repeat after the race
   */
  async delete(content: Buffer): Promise<() => Promise<void>> {
    await this.upload(content);
    const urls: string[] = [];
    for (const stream of [true, false])
      urls.push(
        (await this.vault.call(downloadIngot, { params: this.#params, body: { stream } })).download_url,
      );
    const { status } = await this.vault.send(deleteIngot, { params: this.#params });
    if (status !== 204 && status !== 404) throw new Error(`the deletion was answered ${status}`);
    const check = async () => {
      for (const url of urls)
        await this.#expectUnusable(
          'a deleted file',
          () => compareDownload(url, content),
          (end) => end === 'refused',
        );
    };
    await check();
    this.#content = Buffer.alloc(0);
    return check;
  }

  get #params() {
    return { vault_id: this.vault.vaultId, ingot_id: this.#ingotId };
  }

  #create({ length: size_bytes }: Buffer): Promise<IngotUpload> {
    const body = { name: this.#name, size_bytes, content_type: 'application/octet-stream' };
    return this.vault.call(createIngot, { params: { vault_id: this.vault.vaultId }, body });
  }

  #replace({ length: size_bytes }: Buffer): Promise<IngotUpload> {
    return this.vault.call(replaceIngot, { params: this.#params, body: { size_bytes } });
  }

  /** Uploads as a client does: resumes an upload whose creation was answered, otherwise requests a new upload URL. */
  async #send(content: Buffer, open: () => Promise<IngotUpload>): Promise<void> {
    await this.#transfer(content, open, Infinity);
    this.#content = content;
    this.report.completed += 1;
  }

  #sendFirstChunk(content: Buffer, open: () => Promise<IngotUpload>): Promise<TusTransfer> {
    return this.#transfer(content, open, CHUNK_BYTES);
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
      if (end !== 'creation-lost') return transfer;
    }
  }

  #count({ lostChunks, resumes }: TusTransfer, end: TransferOutcome): void {
    this.report.lostChunks += lostChunks;
    this.report.resumes += resumes;
    if (end === 'creation-lost') this.report.restarted += 1;
    if (end === 'deleted') this.report.lostUploads += 1;
  }

  /** Waits until the ingot is active with this content, and compares a download byte for byte. */
  async #verify(): Promise<void> {
    const size = this.#content.length;
    await eventually(
      () => this.vault.call(readIngot, { params: this.#params }),
      ({ status, size_bytes }) => status === 'active' && size_bytes === size,
      ACTIVE_SECONDS,
    );
    await this.#downloadCompletely(
      async () => (await this.vault.call(downloadIngot, once(this.#params))).download_url,
      this.#content,
    );
  }

  async #downloadCompletely(url: () => Promise<string>, content: Buffer): Promise<void> {
    const last = Date.now() + READABLE_SECONDS * 1_000;
    while (Date.now() < last) {
      const end = await compareDownload(await url(), content);
      if (end === 'equal') return void (this.report.done += 1);
      if (end === 'different') return void (this.report.wrongContents += 1);
      this.report.interruptedDownloads += 1;
      await delay(200);
    }
    throw new Error(`downloads were interrupted for ${READABLE_SECONDS} s`);
  }

  /** The offset, or null after the upload was deleted. */
  async #offsetOf(transfer: TusTransfer): Promise<string | null> {
    const { status, headers } = await this.#head(transfer);
    if (status === 404) return null;
    return headers.get('upload-offset') ?? `answer ${status}`;
  }

  #head({ url }: TusTransfer): Promise<Response> {
    return fetch(url, { method: 'HEAD', headers: { 'Tus-Resumable': '1.0.0' } });
  }

  /** Waits until the subject is unusable, which takes as long as the delivery of the events; reports it otherwise. */
  async #expectUnusable<T>(
    subject: string,
    probe: () => Promise<T>,
    isUnusable: (seen: T) => boolean,
  ): Promise<void> {
    let last: unknown;
    const isConfirmed = async () => {
      const seen = await probe().catch((error: unknown) => void (last = error));
      if (seen !== undefined) last = seen;
      return seen !== undefined && isUnusable(seen);
    };
    await eventually(isConfirmed, Boolean, ACTIVE_SECONDS).catch(() =>
      this.report.stillUsable.push(`${subject} still answers ${String(last)} (${this.#ingotId})`),
    );
  }
}

function once(params: { vault_id: string; ingot_id: string }) {
  return { params, body: { stream: false } };
}
