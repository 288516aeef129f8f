import type { DownloadTicket } from '@vaultsvc/client';
import { PrivateFile, stateFile, type DownloadNote } from '@vaultsvc/client/node';

/** A link. */
export interface LinkAddress {
  readonly origin: string;
  readonly code: string;
}

/** What is known of the file of a link before the link is opened. */
export interface DescribedFile {
  readonly name: string;
  readonly size: number;
  /** Whether the link opens once. */
  readonly once: boolean;
}

/**
 * The file of a link that was opened. The URL is a secret: it is kept until the file is verified, or ends after twelve hours.
 * This note is written by the process that opens the link alone, so that nobody overwrites it.
 */
export interface OpenedFile extends DescribedFile {
  readonly url: string;
  /** Epoch seconds; shown, never compared with the clock. Only releases that can resume name it. */
  readonly expiresAt?: number;
  readonly versionId?: string;
  readonly contentHash?: string | null;
  readonly modifiedAt?: number | null;
}

/** The notes of a link. Their names do not reveal it. */
export class LinkNotes {
  readonly key: string;
  /** The part of the file. It exists before the link is opened. */
  readonly part: PrivateFile<DownloadNote>;
  readonly opened: PrivateFile<OpenedFile>;

  constructor(
    readonly stateDir: string,
    { origin, code }: LinkAddress,
  ) {
    this.key = `link ${origin}/${code}`;
    this.part = new PrivateFile(stateFile(stateDir, 'links', this.key));
    this.opened = new PrivateFile(stateFile(stateDir, 'links', `${this.key} opened`));
  }
}

/** The ticket of an opened link. */
export function ticketOf({ url, size, versionId, contentHash, modifiedAt }: OpenedFile): DownloadTicket {
  return { url, size, versionId, contentHash, modifiedAt };
}

/** Whether the URL may be used again. */
export function canResume({ expiresAt }: OpenedFile): boolean {
  return expiresAt !== undefined;
}

/** What the user can do after an interruption. */
export function adviceOf({ once, expiresAt }: OpenedFile): string {
  if (expiresAt !== undefined) {
    const end = new Date(expiresAt * 1_000).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
    return `Run the same command again until ${end} to go on with it.`;
  }
  return once
    ? 'The link was opened and opens no more: this server cannot resume its download.'
    : 'Run the same command again to start over.';
}
