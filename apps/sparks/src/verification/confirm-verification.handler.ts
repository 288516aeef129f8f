import { Injectable } from '@nestjs/common';
import { AppError, identityKey, type Input, type VisitContext } from '@vaultsvc/contracts';
import { confirmVerification, type Verified } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { LinkSealer } from '../link/link-sealer.js';
import { LinkAdmission } from '../opening/link-admission.js';
import { OneTimeCodes } from './one-time-codes.js';
import { VerificationRepository } from './verification.repository.js';
import { VerificationTokens } from './verification-tokens.js';

@Injectable()
export class ConfirmVerification {
  constructor(
    private readonly admission: LinkAdmission,
    private readonly verifications: VerificationRepository,
    private readonly sealer: LinkSealer,
    private readonly codes: OneTimeCodes,
    private readonly tokens: VerificationTokens,
  ) {}

  @Handles(confirmVerification)
  async handle(
    { params, body }: Input<typeof confirmVerification>,
    context: VisitContext,
  ): Promise<Verified> {
    const link = await this.admission.admit(params.link_code, context);
    const id = await this.#newestOf(link.id, body.identity);
    const verified = id !== undefined && (await this.#redeem(link.id, id, body.code));
    if (!verified) throw new AppError('LINK_CODE_WRONG');
    return verified;
  }

  /** Only the newest code of an identity is valid, even when it has no attempts left (OPEN-25). */
  async #newestOf(linkId: string, identity: string): Promise<string | undefined> {
    const requested = await this.verifications.findRequested(linkId);
    const identities = await this.sealer.openTexts(requested.map((code) => code.identity));
    return requested.find((_, index) => identityKey(identities[index] as string) === identityKey(identity))
      ?.id;
  }

  async #redeem(linkId: string, verificationId: string, code: string): Promise<Verified | undefined> {
    const attempt = await this.verifications.useAttempt(verificationId);
    if (!attempt) return undefined;
    const owner = { linkId, verificationId, kid: attempt.kid };
    return (await this.codes.matches(owner, attempt.codeMac, code))
      ? this.tokens.issue(verificationId)
      : undefined;
  }
}
