import {
  ApiError,
  downloadTicket,
  RedirectError,
  TransferError,
  type DownloadTicket,
} from '@vaultsvc/client';
import { canonicalPath, FileError, KeptDownload, lockKey, lockTarget } from '@vaultsvc/client/node';
import type { LinkContent } from '../api/link-visitor.js';
import type { CliContext } from '../cli-context.js';
import { CliError } from '../failures.js';
import { exitCodes } from '../exit-codes.js';
import {
  adviceOf,
  canResume,
  linkKey,
  linkNote,
  ticketOf,
  type LinkAddress,
  type LinkNote,
} from './link-note.js';
import { targetPath } from './target-path.js';
import { withProgress, type TransferReports } from './transfer-progress.js';

/** Where the file of a link goes. */
export interface LinkTarget {
  readonly out: string | undefined;
  readonly isStdout: boolean;
}

/** What is known of a file before its link is opened. */
type Described = Pick<LinkNote, 'name' | 'size' | 'once'>;

type Kept = KeptDownload<LinkNote>;

/** Forge's answers for a URL that has ended, or whose file is gone. */
const ENDED = new Set([401, 403, 404, 410]);

/**
 * The file of a link. A note is kept before the link is opened and until the file is verified, so that the same command goes on
 * with it after an interruption, also with a link that opens once.
 */
export class LinkedFile {
  #open: (() => Promise<LinkContent>) | undefined;

  constructor(
    private readonly context: CliContext,
    private readonly link: LinkAddress,
    private readonly target: LinkTarget,
  ) {}

  /** Goes on with a link that an earlier run has opened. Resolves with false if none has. */
  async resume(): Promise<boolean> {
    const note = await this.#note.read().catch(() => undefined);
    if (note?.url === undefined) return false;
    this.context.output.note(`Going on with the download of ${note.name}.`);
    await this.#save(note);
    return true;
  }

  /**
   * Downloads the file of a link that is described, but not opened yet.
   * @param open may work once, and is called when everything is checked that can be
   */
  async download(content: LinkContent, open: () => Promise<LinkContent>): Promise<void> {
    this.#open = open;
    const { name = 'download', size_bytes: size = 0, once = true } = content;
    await this.#save({ name, size, once });
  }

  /**
   * The error for a link that cannot be described. An earlier run may have been killed between the opening at the server and its
   * answer: then the link is consumed, and nobody has what it gave.
   */
  async refused(error: unknown): Promise<unknown> {
    const isGone = error instanceof ApiError && error.status === 403;
    const kept = isGone ? await KeptDownload.open(this.#note, '').catch(() => undefined) : undefined;
    if (!kept?.note) return error;
    await kept.forget();
    const message = `${(error as ApiError).message} An earlier run of this command was killed while it opened the link.`;
    return new CliError(message, exitCodes.gone, { cause: error });
  }

  get #note() {
    return linkNote(this.context.environment.stateDir, this.link);
  }

  async #save(file: Described): Promise<void> {
    const { stateDir } = this.context.environment;
    const path = this.target.isStdout ? '' : await canonicalPath(targetPath(file.name, this.target.out));
    const lock = await lockKey(stateDir, linkKey(this.link), path, 'The link is being read');
    try {
      const kept = await KeptDownload.open(this.#note, path);
      if (path === '') await this.#print(kept, file);
      else await this.#write(kept, file);
    } finally {
      await lock.release();
    }
  }

  async #write(kept: Kept, { name, size, once }: Described): Promise<void> {
    const { target } = kept;
    const lock = await lockTarget(this.context.environment.stateDir, target);
    try {
      if (await kept.isComplete()) await kept.forget();
      else {
        await kept.prepare({ ...kept.note, name, size, once, target, part: '' }, true);
        await this.#transfer(kept, (ticket, reports) => kept.complete(ticket, reports));
      }
    } finally {
      await lock.release();
    }
    this.context.output.result({ type: 'file', name, size_bytes: size, path: target }, target);
  }

  /** What was printed cannot be taken back: another run prints the whole file. */
  async #print(kept: Kept, { name, size, once }: Described): Promise<void> {
    const { signal, output } = this.context;
    await kept.save({ part: '', ...kept.note, name, size, once, target: '' });
    await this.#transfer(kept, async (ticket, { onProgress }) => {
      const content = downloadTicket(ticket, { signal, onProgress });
      await output.stream(content as unknown as AsyncIterable<Uint8Array>, signal);
      await kept.forget();
      return typeof ticket.contentHash === 'string';
    });
  }

  async #transfer(
    kept: Kept,
    transfer: (
      ticket: DownloadTicket,
      reports: TransferReports & { signal: AbortSignal },
    ) => Promise<boolean>,
  ): Promise<void> {
    const { context } = this;
    const note = await this.#opened(kept);
    try {
      const verified = await withProgress(context, note.name, adviceOf(note), (reports) =>
        transfer(ticketOf(note), { ...reports, signal: context.signal }),
      );
      if (!verified)
        context.output.warn(`${note.name} is not verified: the server names no hash of its content.`);
    } catch (error) {
      throw await failureOf(kept, note, error);
    }
  }

  /** A link that was not opened leaves nothing. */
  async #opened(kept: Kept): Promise<LinkNote> {
    try {
      if (kept.note?.url === undefined) await this.#openNow(kept);
    } catch (error) {
      await kept.forget();
      throw error;
    }
    return kept.note as LinkNote;
  }

  async #openNow(kept: Kept): Promise<void> {
    if (!this.#open) throw new CliError('The link was read by another command meanwhile.', exitCodes.gone);
    const { download_url: url, expires_at: expiresAt, ...content }: OpenedFile = await this.#open();
    const opened = { url, expiresAt, versionId: content.version_id, contentHash: content.content_hash };
    // On a full disk the download goes on without its note.
    await kept
      .save(opened)
      .catch(() => this.context.output.warn('An interrupted download cannot be resumed.'));
  }
}

/** Releases that can resume name more than others. */
interface OpenedFile extends LinkContent {
  readonly expires_at?: number;
  readonly version_id?: string;
  readonly content_hash?: string | null;
}

/** The error for the user; what continues the download is kept if something can. */
async function failureOf(kept: Kept, note: LinkNote, error: unknown): Promise<unknown> {
  await kept.close();
  if (error instanceof FileError && error.kept !== undefined) return error;
  const isEnded = error instanceof TransferError && ENDED.has(error.status ?? 0);
  if (isEnded || !canResume(note)) await kept.forget();
  if (error instanceof CliError || error instanceof RedirectError) return error;
  if (isEnded && canResume(note))
    return new CliError('The link was opened, and its download can be continued no more.', exitCodes.gone, {
      cause: error,
    });
  const message = error instanceof Error ? error.message : String(error);
  return new CliError(`${message} ${adviceOf(note)}`);
}
