import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { LinkPolicyRepository } from '../admission/link-policy.repository.js';
import { verificationMethods } from '../admission/verification-methods.js';
import type { VisitedLink } from '../admission/visited-link.repository.js';
import type { Proof } from './visitor-verifier.js';

/** Checks the policy of a grant before anything is claimed or burned. The reveal repeats the checks in its transaction. */
@Injectable()
export class PolicyChecker {
  constructor(private readonly policies: LinkPolicyRepository) {}

  /**
   * Throws LINK_VERIFICATION_STALE when the verification is older than the policy allows (NTF-11), and for dual control
   * LINK_SECOND_PERSON_REQUIRED until a second recipient has verified. This visit counts for the other recipients.
   */
  async assertMet(link: VisitedLink, proof: Proof | null): Promise<void> {
    if (!link.policy || !proof) return;
    if (!(await this.#isFresh(link, proof))) throw staleProof(link, proof);
    if (link.policy.level === 'dual_control' && !(await this.policies.visit(link.id)))
      throw secondPersonRequired();
  }

  /** A verification of unknown age, by a session, does not count. */
  async #isFresh({ id, policy }: VisitedLink, { verifiedAt }: Proof): Promise<boolean> {
    if (policy === null || policy.freshnessMinutes === null) return true;
    return verifiedAt !== null && this.policies.isFresh(id, verifiedAt);
  }
}

function staleProof(link: VisitedLink, { identity }: Proof): AppError {
  return new AppError('LINK_VERIFICATION_STALE', { verification: verificationMethods(link, [identity]) });
}

/** Its status is also that of LINK_BEING_OPENED, so `details.code` tells clients that waiting helps. */
function secondPersonRequired(): AppError {
  return new AppError('LINK_SECOND_PERSON_REQUIRED', { code: 'LINK_SECOND_PERSON_REQUIRED' });
}
