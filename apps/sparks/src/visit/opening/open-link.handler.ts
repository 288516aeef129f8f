import { Controller } from '@nestjs/common';
import type { Input, VisitContext } from '@vaultsvc/contracts';
import { openLink, type LinkContent } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { DurableShareRedirect } from './durable-share-redirect.js';
import { IngotLinkOpener } from './ingot-link-opener.js';
import { LinkAdmission } from '../admission/link-admission.js';
import { OwnerLinkPolicy } from '../admission/owner-link-policy.js';
import { PolicyChecker } from './policy-checker.js';
import { SparkLinkOpener } from './spark-link-opener.js';
import { VisitorVerifier } from './visitor-verifier.js';
import type { VisitedLink } from '../admission/visited-link.repository.js';

@Controller()
export class OpenLink {
  constructor(
    private readonly admission: LinkAdmission,
    private readonly visitors: VisitorVerifier,
    private readonly policies: PolicyChecker,
    private readonly owners: OwnerLinkPolicy,
    private readonly sparks: SparkLinkOpener,
    private readonly ingots: IngotLinkOpener,
    private readonly redirects: DurableShareRedirect,
  ) {}

  @Handles(openLink)
  async handle(input: Input<typeof openLink>, context: VisitContext): Promise<LinkContent> {
    try {
      return await this.#open(input, context);
    } catch (error) {
      const redirect = await this.redirects.insteadOf(error, input.params.link_code, context);
      if (redirect) return redirect;
      throw error;
    }
  }

  async #open({ params, body }: Input<typeof openLink>, context: VisitContext): Promise<LinkContent> {
    const link = await this.admission.admit(params.link_code, context);
    const proof = await this.visitors.verify(link, body.verification_token, context);
    await this.policies.assertMet(link, proof);
    if (body.describe) return this.#describe(link, context);
    if (!body.confirmed && (await this.owners.requiresConfirmation(link, context)))
      return { type: 'confirm' };
    if (link.linkType === 'spark') return this.sparks.open(link, proof, context);
    return this.ingots.open(link, proof, body.resume ?? false, context);
  }

  async #describe(link: VisitedLink, context: VisitContext): Promise<LinkContent> {
    const [description, shared_by] = await Promise.all([
      link.linkType === 'spark' ? this.sparks.describe(link) : this.ingots.describe(link, context),
      this.owners.sharedBy(link, context),
    ]);
    return { ...description, ...(shared_by && { shared_by }) };
  }
}
