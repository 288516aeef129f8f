import { Controller } from '@nestjs/common';
import { serviceContext, type Input, type VisitContext } from '@vaultsvc/contracts';
import { readLinkPolicy } from '@vaultsvc/contracts/auth';
import { openLink, type LinkContent } from '@vaultsvc/contracts/sparks';
import { Bus, Handles } from '@vaultsvc/messaging';
import { IngotLinkOpener } from './ingot-link-opener.js';
import { LinkAdmission } from './link-admission.js';
import { PolicyChecker } from './policy-checker.js';
import { SparkLinkOpener } from './spark-link-opener.js';
import { VisitorVerifier } from './visitor-verifier.js';
import type { VisitedLink } from './visited-link.repository.js';

const POLICY_MS_MAX = 1_000;

@Controller()
export class OpenLink {
  constructor(
    private readonly admission: LinkAdmission,
    private readonly visitors: VisitorVerifier,
    private readonly policies: PolicyChecker,
    private readonly bus: Bus,
    private readonly sparks: SparkLinkOpener,
    private readonly ingots: IngotLinkOpener,
  ) {}

  @Handles(openLink)
  async handle({ params, body }: Input<typeof openLink>, context: VisitContext): Promise<LinkContent> {
    const link = await this.admission.admit(params.link_code, context);
    const proof = await this.visitors.verify(link, body.verification_token, context);
    await this.policies.assertMet(link, proof);
    if (body.describe) return this.#describe(link, context);
    if (!body.confirmed && (await this.#requiresConfirmation(link, context))) return { type: 'confirm' };
    return (link.linkType === 'spark' ? this.sparks : this.ingots).open(link, proof, context);
  }

  #describe(link: VisitedLink, context: VisitContext): Promise<LinkContent> {
    return link.linkType === 'spark' ? this.sparks.describe(link) : this.ingots.describe(link, context);
  }

  /** Whether the account's policy asks visitors to confirm. True also without an answer of auth: a confirmation costs nothing. */
  async #requiresConfirmation(
    { accountId }: VisitedLink,
    { requestId, deadlineMs }: VisitContext,
  ): Promise<boolean> {
    const context = serviceContext(requestId, Math.min(deadlineMs, Date.now() + POLICY_MS_MAX));
    return this.bus.call(readLinkPolicy, { body: { account_id: accountId } }, context).then(
      (policy) => policy.asks_first,
      () => true,
    );
  }
}
