import { assertNotRedirected, RedirectError } from '@vaultsvc/client';
import { Upload, type DetailedError } from 'tus-js-client';
import { textOf } from '../../page-client/error-text.js';
import { actions, element } from '../../page-client/elements.js';
import { sizeText } from '../../page-client/format.js';
import { busyButton } from '../../page-client/page-parts.js';
import { KeyNeeded, type PanelSession } from './panel-session.js';

/** The size of Forge's chunks (FRG-11). */
const CHUNK_BYTES = 52_428_800;
/** Retries for a minute. */
const RETRY_DELAYS = [0, 1_000, 3_000, 5_000, 10_000, 20_000, 21_000];

/** One upload: a question before it replaces a file, its progress, and what went wrong. */
export class UploadRow {
  readonly element: HTMLLIElement;
  readonly #bar = element('progress', { max: '1', value: '0' });
  readonly #text = element('p', { class: 'hint' }, 'Waiting …');
  readonly #below = element('div', { class: 'below' });
  #upload: Upload | undefined;
  #ingotId = '';

  constructor(
    private readonly file: File,
    private readonly session: PanelSession,
    private readonly isReplacement: boolean,
  ) {
    this.#bar.setAttribute('aria-label', `Upload of ${file.name}`);
    this.#bar.hidden = true;
    const about = element('div', {}, element('bdi', { class: 'name' }, file.name), this.#bar, this.#text);
    this.element = element('li', {}, about, this.#below);
  }

  get name(): string {
    return this.file.name;
  }

  /** Resolves with whether the file is stored; with false once the person gives it up. */
  async finish(): Promise<boolean> {
    if (this.isReplacement && !(await this.#ask('A file has this name.', 'Replace it'))) return false;
    for (;;) {
      try {
        return await this.#send();
      } catch (error) {
        this.#bar.hidden = true;
        if (!(await this.#ask(reasonOf(error), 'Try again'))) return this.#giveUp();
      }
    }
  }

  /** Shows a text with a choice. Resolves with whether it was taken. */
  #ask(text: string, choice: string): Promise<boolean> {
    this.#text.textContent = text;
    return new Promise((resolve) => {
      const take = busyButton(choice, () => resolve(true));
      const leave = busyButton('Skip', () => resolve(false), 'quiet');
      leave.setAttribute('aria-label', `Skip ${this.name}`);
      this.#below.replaceChildren(actions(take, leave));
    }).finally(() => this.#below.replaceChildren()) as Promise<boolean>;
  }

  /** Sends the content, from where an earlier attempt ended. Resolves with false when it is cancelled. */
  async #send(): Promise<boolean> {
    const upload = (this.#upload ??= await this.#begin());
    this.#bar.hidden = false;
    this.#showProgress(0);
    return new Promise<boolean>((resolve, reject) => {
      let isCancelled = false;
      const end = () => void this.#giveUp().then(resolve);
      const onCancel = () => {
        isCancelled = true;
        this.#below.replaceChildren();
        this.#text.textContent = 'Cancelling …';
        // An upload that Forge is still creating has no URL by which it could be ended.
        if (upload.url !== null) end();
      };
      const cancel = busyButton('Cancel', onCancel, 'quiet');
      cancel.setAttribute('aria-label', `Cancel ${this.name}`);
      this.#below.replaceChildren(actions(cancel));
      upload.options.onUploadUrlAvailable = () => isCancelled && end();
      upload.options.onSuccess = () => resolve(true);
      upload.options.onError = (error) => (isCancelled ? end() : reject(error));
      upload.start();
    }).finally(() => this.#below.replaceChildren());
  }

  async #begin(): Promise<Upload> {
    const { ingot_id, forge_url } = await this.session.upload(this.file);
    this.#ingotId = ingot_id;
    return new Upload(this.file, {
      endpoint: forge_url,
      chunkSize: CHUNK_BYTES,
      retryDelays: RETRY_DELAYS,
      storeFingerprintForResuming: false,
      onAfterResponse: assertNotRedirected,
      onShouldRetry: mayRetry,
      onProgress: (bytes) => this.#showProgress(bytes),
    });
  }

  #showProgress(bytes: number): void {
    this.#bar.value = bytes / this.file.size;
    const part = Math.floor((bytes / this.file.size) * 100);
    this.#text.textContent = `${sizeText(bytes)} of ${sizeText(this.file.size)} · ${part} %`;
  }

  /**
   * Ends the upload at Forge, too, and deletes the file, unless it has earlier content. An upload that cannot be ended expires
   * at Forge, and the list shows it until then.
   */
  async #giveUp(): Promise<false> {
    if (!this.#upload) return false;
    this.#bar.hidden = true;
    this.#text.textContent = 'Cancelling …';
    const isEnded = await this.#upload.abort(true).then(
      () => true,
      () => false,
    );
    if (isEnded && !this.isReplacement) await this.#deleteFile();
    return false;
  }

  /** Deletes the file of a cancelled upload; after a failure again, as often as the person wants it. */
  async #deleteFile(): Promise<void> {
    for (;;) {
      try {
        return await this.session.deleteCancelled(this.#ingotId);
      } catch (error) {
        const text = `Cancelled, but its file is not deleted. ${reasonOf(error)}`;
        if (!(await this.#ask(text, 'Delete the file'))) return;
      }
    }
  }
}

/** As tus-js-client does by itself, but never after a redirect, whose target would get the content again. */
function mayRetry({ causingError, originalResponse }: DetailedError): boolean {
  if (causingError instanceof RedirectError) return false;
  const status = originalResponse?.getStatus() ?? 0;
  return (status < 400 || status >= 500 || status === 409 || status === 423) && navigator.onLine;
}

/** The client's own errors contain the URL of the upload, which is a secret. */
function reasonOf(error: unknown): string {
  if (error instanceof KeyNeeded) return 'The vault is locked. Unlock it and try again.';
  const isOfClient = error instanceof Error && 'originalRequest' in error;
  if (isOfClient && (error as DetailedError).causingError instanceof RedirectError)
    return 'Another server answered, so the upload was stopped. Something between you and the service redirects it.';
  return isOfClient ? 'The upload was interrupted. Check your internet connection.' : textOf(error);
}
