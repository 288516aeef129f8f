import { Injectable } from '@nestjs/common';
import type { VisitContext } from '@vaultsvc/contracts';
import type { LinkContent, LinkOpening } from '@vaultsvc/contracts/sparks';
import { IngotLinkOpener } from './ingot-link-opener.js';
import { LinkAdmission } from '../admission/link-admission.js';
import { OwnerLinkPolicy } from '../admission/owner-link-policy.js';
import { PolicyChecker } from './policy-checker.js';
import { SparkLinkOpener } from './spark-link-opener.js';
import { VisitorVerifier } from './visitor-verifier.js';
import type { VisitedLink } from '../admission/visited-link.repository.js';

/** Opens or describes the link of a code, for its page and for the API. */
@Injectable()
export class LinkOpener {
  constructor(
    private readonly admission: LinkAdmission,
    private readonly visitors: VisitorVerifier,
    private readonly policies: PolicyChecker,
    private readonly owners: OwnerLinkPolicy,
    private readonly sparks: SparkLinkOpener,
    private readonly ingots: IngotLinkOpener,
  ) {}

  /** @throws AppError of a link that does not open, or not to this visitor */
  async open(code: string, opening: LinkOpening, context: VisitContext): Promise<LinkContent> {
    const link = await this.admission.admit(code, context);
    const proof = await this.visitors.verify(link, opening.verification_token, context);
    await this.policies.assertMet(link, proof);
    if (opening.describe) return this.#describe(link, context);
    if (!opening.confirmed && (await this.owners.requiresConfirmation(link, context)))
      return { type: 'confirm' };
    if (link.linkType === 'spark') return this.sparks.open(link, proof, context);
    return this.ingots.open(link, proof, opening.resume ?? false, context);
  }

  async #describe(link: VisitedLink, context: VisitContext): Promise<LinkContent> {
    const [description, shared_by] = await Promise.all([
      link.linkType === 'spark' ? this.sparks.describe(link) : this.ingots.describe(link, context),
      this.owners.sharedBy(link, context),
    ]);
    return { ...description, ...(shared_by && { shared_by }) };
  }
}
