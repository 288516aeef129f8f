import { Controller } from '@nestjs/common';
import { AppError, identityKey, type Input, type VisitContext } from '@vaultsvc/contracts';
import { startPasskey, type PasskeyOptions } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { verificationMethods } from '../admission/verification-methods.js';
import { VerificationTokens } from '../verification/verification-tokens.js';
import { PasskeyAdmission, type PasskeyLink } from './passkey-admission.js';
import { PasskeyCeremony, type StartedCeremony } from './passkey-ceremony.js';
import { PasskeyRepository } from './passkey.repository.js';

@Controller()
export class StartPasskey {
  constructor(
    private readonly admission: PasskeyAdmission,
    private readonly tokens: VerificationTokens,
    private readonly passkeys: PasskeyRepository,
    private readonly ceremony: PasskeyCeremony,
  ) {}

  @Handles(startPasskey)
  async handle(
    { params, body: { verification_token: token } }: Input<typeof startPasskey>,
    context: VisitContext,
  ): Promise<PasskeyOptions> {
    const found = await this.admission.admit(params.link_code, context);
    const { type, started } = await this.#start(found, token);
    const expires_at = await this.passkeys.addChallenge(started.lookup, found.link.id, type);
    return { type, options: started.options, expires_at };
  }

  /** Without a token nothing depends on the identity: a stranger learns neither who is invited nor who has a passkey. */
  async #start(
    found: PasskeyLink,
    token: string | undefined,
  ): Promise<{ type: PasskeyOptions['type']; started: StartedCeremony }> {
    if (token === undefined)
      return { type: 'authentication', started: await this.ceremony.startAuthentication(undefined) };
    await this.#assertProved(found, token);
    const passkey = await this.passkeys.find(found.subject);
    if (passkey) return { type: 'authentication', started: await this.ceremony.startAuthentication(passkey) };
    const started = await this.ceremony.startRegistration(found.identity, found.subject.mac);
    return { type: 'registration', started };
  }

  /** Throws LINK_VERIFICATION_REQUIRED for a token that does not prove the invited identity. */
  async #assertProved({ link, identity }: PasskeyLink, token: string): Promise<void> {
    const proved = await this.tokens.identityOf(link.id, token);
    if (proved && identityKey(proved.identity) === identityKey(identity)) return;
    const verification = verificationMethods(link, [identity]);
    throw new AppError('LINK_VERIFICATION_REQUIRED', { verification });
  }
}
