import { Injectable } from '@nestjs/common';
import { AppError, type VisitContext } from '@vaultsvc/contracts';
import type { LinkContent } from '@vaultsvc/contracts/sparks';
import { SparksConfig } from '../../config.js';
import { VisitedLinkRepository } from '../admission/visited-link.repository.js';

/**
 * Leads a visitor who has the code of a durable share on the link domain to its address on the files domain (OPEN-22). All
 * checks are made there, and its page says so if the share has ended.
 */
@Injectable()
export class DurableShareRedirect {
  constructor(
    private readonly links: VisitedLinkRepository,
    private readonly config: SparksConfig,
  ) {}

  /** The redirect in place of LINK_NOT_FOUND; undefined for any other error, and for other codes. */
  async insteadOf(error: unknown, code: string, { visit }: VisitContext): Promise<LinkContent | undefined> {
    const isUnknown = error instanceof AppError && error.reason === 'LINK_NOT_FOUND';
    if (!isUnknown || visit.domain !== 'link') return undefined;
    const share = await this.links.find(code, 'files');
    return share && { type: 'redirect', url: this.config.linkUrl('files', code) };
  }
}
