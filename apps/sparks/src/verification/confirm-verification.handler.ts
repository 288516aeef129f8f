import { Injectable } from '@nestjs/common';
import { AppError, identityKey, type Input, type VisitContext } from '@vaultsvc/contracts';
import { confirmVerification, type Verified } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { LinkSeal } from '../link/link-seal.js';
import { LinkAdmission } from '../opening/link-admission.js';
import { OneTimeCodes } from './one-time-codes.js';
import { VerificationRepository } from './verification.repository.js';
import { VerificationTokens } from './verification-tokens.js';

@Injectable()
export class ConfirmVerification {
  constructor(
    private readonly gate: LinkAdmission,
    private readonly verifications: VerificationRepository,
    private readonly seal: LinkSeal,
    private readonly codes: OneTimeCodes,
    private readonly tokens: VerificationTokens,
  ) {}

  @Handles(confirmVerification)
  async handle(
    { params, body }: Input<typeof confirmVerification>,
    context: VisitContext,
  ): Promise<Verified> {
    const link = await this.gate.admit(params.link_code, context);
    const id = await this.#newestOf(link.id, body.identity);
    const verified = id !== undefined && (await this.#redeem(link.id, id, body.code));
    if (!verified) throw new AppError('LINK_CODE_WRONG');
    return verified;
  }

  /** The last code that this identity has asked for is the only good one, also when it is used up (OPEN-25). */
  async #newestOf(linkId: string, identity: string): Promise<string | undefined> {
    const asked = await this.verifications.asked(linkId);
    const identities = await this.seal.open(asked.map((code) => code.identity));
    return asked.find((_, index) => identityKey(identities[index] as string) === identityKey(identity))?.id;
  }

  async #redeem(linkId: string, verificationId: string, code: string): Promise<Verified | undefined> {
    const taken = await this.verifications.takeTry(verificationId);
    if (!taken) return undefined;
    const owner = { linkId, verificationId, kid: taken.kid };
    return (await this.codes.fits(owner, taken.codeMac, code))
      ? this.tokens.issue(verificationId)
      : undefined;
  }
}
