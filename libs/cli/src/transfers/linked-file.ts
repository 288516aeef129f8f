import { downloadTicket, RedirectError, TransferError, type DownloadTicket } from '@vaultsvc/client';
import {
  canonicalPath,
  FileError,
  KeptDownload,
  lockKey,
  lockTarget,
  type DownloadNote,
} from '@vaultsvc/client/node';
import type { LinkContent } from '../api/link-visitor.js';
import type { CliContext } from '../cli-context.js';
import { CliError } from '../failures.js';
import { exitCodes } from '../exit-codes.js';
import {
  adviceOf,
  canResume,
  LinkNotes,
  ticketOf,
  type DescribedFile,
  type LinkAddress,
  type OpenedFile,
} from './link-note.js';
import { openSafely, waitForOpener } from './link-opener.js';
import { beforeOpening, newFilePath } from './new-file.js';
import { withProgress, type ShowProgress } from './transfer-progress.js';

/** Where the file of a link goes. */
export interface LinkTarget {
  readonly out: string | undefined;
  readonly isStdout: boolean;
}

type Kept = KeptDownload<DownloadNote>;
interface Reports {
  readonly onProgress: ShowProgress;
  readonly onCompared: ShowProgress;
  readonly signal: AbortSignal;
}
type Transfer = (ticket: DownloadTicket, reports: Reports) => Promise<boolean>;

/** Forge's answers for a URL that has ended, or whose file is gone. */
const ENDED = new Set([401, 403, 404, 410]);

/**
 * The file of a link. Notes are kept from before the link is opened until the file is verified, so that the same command goes on
 * with it after an interruption, also with a link that opens once.
 */
export class LinkedFile {
  readonly #notes: LinkNotes;
  /** The token of a verified visitor; undefined while the link is not to be opened. */
  #visitor: { readonly token?: string } | undefined;

  constructor(
    private readonly context: CliContext,
    private readonly link: LinkAddress,
    private readonly target: LinkTarget,
  ) {
    this.#notes = new LinkNotes(context.environment.stateDir, link);
  }

  /** Goes on with a link that an earlier run has opened. Resolves with false if none has. */
  async resume(): Promise<boolean> {
    const opened = await this.#notes.opened.read().catch(() => undefined);
    if (!opened) return false;
    this.context.output.note(`Going on with the download of ${opened.name}.`);
    await this.#save(opened);
    return true;
  }

  /**
   * Goes on with a link that is consumed, if an earlier run was killed while it opened it: the process that opens it keeps the
   * answer. Resolves with false if there was no such run.
   */
  async resumeAfterKill(): Promise<boolean> {
    const note = await this.#notes.part.read().catch(() => undefined);
    if (!note) return false;
    await (await waitForOpener(this.#notes, this.context.signal)).release();
    if (await this.resume()) return true;
    await this.#forget(await KeptDownload.open(this.#notes.part, ''));
    return false;
  }

  /**
   * Downloads the file of a link that is described, but not opened yet. It is opened when everything is checked that can be.
   * @param token of a verified visitor
   */
  async download(content: LinkContent, token: string | undefined): Promise<void> {
    this.#visitor = { token };
    const { name = 'download', size_bytes: size = 0, once = true } = content;
    await this.#save({ name, size, once });
  }

  async #save(file: DescribedFile): Promise<void> {
    const { stateDir, key } = this.#notes;
    const path = this.target.isStdout ? '' : await canonicalPath(newFilePath(file.name, this.target.out));
    const lock = await lockKey(stateDir, key, path, 'The link is being read');
    try {
      const kept = await KeptDownload.open(this.#notes.part, path);
      if (path === '') await this.#print(kept, file);
      else await this.#write(kept, file);
    } finally {
      await lock.release();
    }
  }

  async #write(kept: Kept, file: DescribedFile): Promise<void> {
    const { target } = kept;
    const { name, size } = file;
    const lock = await lockTarget(this.#notes.stateDir, target);
    try {
      if (await kept.isComplete()) await this.#forget(kept);
      else {
        const note = { ...kept.note, size, target, part: '' };
        if (await this.#isOpened()) await kept.prepare(note, true);
        else await beforeOpening(this.context, () => kept.prepare(note, true));
        await this.#transfer(kept, file, async (ticket, reports) => {
          // The hash recognizes a target that an earlier run has completed.
          await kept.save({ contentHash: ticket.contentHash }).catch(() => undefined);
          return kept.complete(ticket, reports);
        });
      }
    } finally {
      await lock.release();
    }
    this.context.output.result({ type: 'file', name, size_bytes: size, path: target }, target);
  }

  /** What was printed cannot be taken back: another run prints the whole file. */
  async #print(kept: Kept, file: DescribedFile): Promise<void> {
    const { signal, output } = this.context;
    await kept.save({ part: '', ...kept.note, size: file.size, target: '' });
    await this.#transfer(kept, file, async (ticket, { onProgress }) => {
      const content = downloadTicket(ticket, { signal, onProgress });
      await output.stream(content as unknown as AsyncIterable<Uint8Array>, signal);
      return typeof ticket.contentHash === 'string';
    });
  }

  async #transfer(kept: Kept, file: DescribedFile, transfer: Transfer): Promise<void> {
    const { context } = this;
    const opened = await this.#opened(kept, file);
    try {
      const verified = await withProgress(context, opened.name, adviceOf(opened), (onProgress, onCompared) =>
        transfer(ticketOf(opened), { onProgress, onCompared, signal: context.signal }),
      );
      await this.#forget(kept);
      if (!verified)
        context.output.warn(`${opened.name} is not verified: the server names no hash of its content.`);
    } catch (error) {
      throw await this.#failure(kept, opened, error);
    }
  }

  async #isOpened(): Promise<boolean> {
    return (await this.#notes.opened.read().catch(() => undefined)) !== undefined;
  }

  /** A link that was not opened leaves nothing. */
  async #opened(kept: Kept, described: DescribedFile): Promise<OpenedFile> {
    try {
      const opened = await this.#notes.opened.read().catch(() => undefined);
      if (opened) return opened;
      if (!this.#visitor)
        throw new CliError('The link was read by another command meanwhile.', exitCodes.gone);
      return await openSafely(this.context, { ...this.link, ...this.#visitor, described });
    } catch (error) {
      await kept.forget();
      throw error;
    }
  }

  /** The error for the user; what continues the download is kept if something can. */
  async #failure(kept: Kept, opened: OpenedFile, error: unknown): Promise<unknown> {
    await kept.close();
    if (error instanceof FileError && error.kept !== undefined) {
      await this.#notes.opened.remove();
      return error;
    }
    const isEnded = error instanceof TransferError && ENDED.has(error.status ?? 0);
    if (isEnded || !canResume(opened)) await this.#forget(kept);
    if (error instanceof CliError || error instanceof RedirectError) return error;
    if (isEnded && canResume(opened))
      return new CliError('The link was opened, and its download can be continued no more.', exitCodes.gone, {
        cause: error,
      });
    const message = error instanceof Error ? error.message : String(error);
    return new CliError(`${message} ${adviceOf(opened)}`);
  }

  async #forget(kept: Kept): Promise<void> {
    await kept.forget();
    await this.#notes.opened.remove();
  }
}
