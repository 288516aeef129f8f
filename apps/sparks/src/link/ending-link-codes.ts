import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { LinkSealer, type SealedCodeRow } from './link-sealer.js';

/** Codes by link id, as JSON: the placeholder `codes` of `insertLinkEvents`. */
export type EndingCodes = string;

/** No end of a link waits longer for key management. */
const WAIT_MS_MAX = 1_000;

/** Opens the codes of links for the events of their end: by then they open nothing more (LNK-22). */
@Injectable()
export class EndingLinkCodes {
  readonly #logger = new Logger('links');

  constructor(private readonly sealer: LinkSealer) {}

  /** Empty if key management does not answer at once: an event without its code is better than a link that stays open. */
  async open(rows: readonly SealedCodeRow[]): Promise<EndingCodes> {
    const opened = this.sealer.openCodes(rows).catch((error: unknown) => this.#warn(error));
    const late = delay(WAIT_MS_MAX, undefined, { ref: false });
    return JSON.stringify(Object.fromEntries((await Promise.race([opened, late])) ?? []));
  }

  #warn(error: unknown): undefined {
    this.#logger.warn({ msg: 'links end without their codes in the events', err: error });
  }
}

/** The codes as they were given by a caller. */
export function codesOf(linkId: string, code: string): EndingCodes {
  return JSON.stringify({ [linkId]: code });
}
