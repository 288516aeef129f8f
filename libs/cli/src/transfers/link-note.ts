import type { DownloadTicket } from '@vaultsvc/client';
import { PrivateFile, stateFile, type DownloadNote } from '@vaultsvc/client/node';

/** A link. */
export interface LinkAddress {
  readonly origin: string;
  readonly code: string;
}

/**
 * What continues the download of a link that was opened. The URL is a secret: it is kept until the file is verified, or ends
 * after twelve hours.
 */
export interface LinkNote extends DownloadNote {
  readonly name: string;
  /** Whether the link opens once. */
  readonly once: boolean;
  /** Undefined before the link was opened. */
  readonly url?: string;
  /** Epoch seconds; shown, never compared with the clock. Only releases that can resume name it. */
  readonly expiresAt?: number;
}

/** The note of a link. Its name does not reveal the link. */
export function linkNote(stateDir: string, link: LinkAddress): PrivateFile<LinkNote> {
  return new PrivateFile(stateFile(stateDir, 'links', linkKey(link)));
}

/** What stands for a link among the locks and notes of a user. */
export function linkKey({ origin, code }: LinkAddress): string {
  return `link ${origin}/${code}`;
}

/** The ticket of a note. */
export function ticketOf({ url = '', size, versionId, contentHash }: LinkNote): DownloadTicket {
  return { url, size, versionId, contentHash };
}

/** Whether the URL may be used again. */
export function canResume({ expiresAt }: LinkNote): boolean {
  return expiresAt !== undefined;
}

/** What the user can do after an interruption. */
export function adviceOf({ once, expiresAt }: LinkNote): string {
  if (expiresAt !== undefined) {
    const end = new Date(expiresAt * 1_000).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
    return `Run the same command again until ${end} to go on with it.`;
  }
  return once
    ? 'The link was opened and opens no more: this server cannot resume its download.'
    : 'Run the same command again to start over.';
}
