import { Injectable } from '@nestjs/common';
import type { LinkContent } from '@vaultsvc/contracts/sparks';
import { isLinkDestination, kindOf, writePayload } from '../spark/content.js';
import { UrlSafety } from '../safety/url-safety.js';
import type { Claim } from '../spark/burn.repository.js';

/** What a visitor is shown of a Spark: its content, or for a link Spark where to go, or a warning (OPEN-23, OPEN-26). */
@Injectable()
export class SparkPresenter {
  constructor(private readonly safety: UrlSafety) {}

  async of(content: Buffer, { contentType, filename }: Claim): Promise<LinkContent> {
    const payload = writePayload(content, contentType);
    if (kindOf(contentType) === 'link') return this.#wayTo(payload);
    return { type: 'content', payload, content_type: contentType, filename };
  }

  /** A flagged destination is told all the same, with why to beware of it: the link is spent by asking (OPEN-26). */
  async #wayTo(url: string): Promise<LinkContent> {
    // It was checked when it was sealed; a rule that came later holds for it, too.
    if (!isLinkDestination(url)) throw new Error('the destination of a link is no http or https URL');
    const reason = await this.safety.check(url);
    return reason === undefined ? { type: 'redirect', url } : { type: 'warning', url, reason };
  }
}
