import { Injectable } from '@nestjs/common';
import type { LinkContent } from '@vaultsvc/contracts/sparks';
import { UrlSafety } from '../../safety/url-safety.js';
import type { Claim } from '../../spark/burning/burn.repository.js';
import { isLinkDestination, kindOf, writePayload } from '../../spark/sealing/content.js';

/** Formats a Spark for a visitor: its content, or for a link Spark a redirect or a warning (OPEN-23, OPEN-26). */
@Injectable()
export class SparkPresenter {
  constructor(private readonly safety: UrlSafety) {}

  async present(content: Buffer, { contentType, filename }: Claim): Promise<LinkContent> {
    const payload = writePayload(content, contentType);
    if (kindOf(contentType) === 'link') return this.#redirectTo(payload);
    return { type: 'content', payload, content_type: contentType, filename };
  }

  /** A warning contains the flagged URL, because opening the link has consumed it (OPEN-26). */
  async #redirectTo(url: string): Promise<LinkContent> {
    // Checked when the Spark was created, and again here: the rules may have changed since.
    if (!isLinkDestination(url)) throw new Error('the destination of a link is no http or https URL');
    const reason = await this.safety.check(url);
    return reason === undefined ? { type: 'redirect', url } : { type: 'warning', url, reason };
  }
}
