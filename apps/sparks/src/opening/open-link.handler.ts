import { Injectable } from '@nestjs/common';
import type { Input, VisitContext } from '@vaultsvc/contracts';
import { openLink, type LinkContent } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { IngotLinkOpener } from './ingot-link-opener.js';
import { LinkAdmission } from './link-admission.js';
import { LinkPolicy } from './link-policy.js';
import { SparkLinkOpener } from './spark-link-opener.js';
import type { VisitedLink } from './visited-link.repository.js';
import { VisitorVerifier } from './visitor-verifier.js';

@Injectable()
export class OpenLink {
  constructor(
    private readonly gate: LinkAdmission,
    private readonly visitors: VisitorVerifier,
    private readonly policy: LinkPolicy,
    private readonly sparks: SparkLinkOpener,
    private readonly ingots: IngotLinkOpener,
  ) {}

  @Handles(openLink)
  async handle({ params, body }: Input<typeof openLink>, context: VisitContext): Promise<LinkContent> {
    const link = await this.gate.admit(params.link_code, context);
    const proof = await this.visitors.verify(link, body.verification_token, context);
    if (body.describe) return this.#describe(link, context);
    if (!body.confirmed && (await this.policy.asksFirst(link, context))) return { type: 'confirm' };
    return (link.linkType === 'spark' ? this.sparks : this.ingots).open(link, proof, context);
  }

  #describe(link: VisitedLink, context: VisitContext): Promise<LinkContent> {
    return link.linkType === 'spark' ? this.sparks.describe(link) : this.ingots.describe(link, context);
  }
}
