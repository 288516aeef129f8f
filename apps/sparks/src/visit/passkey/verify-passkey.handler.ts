import { Controller } from '@nestjs/common';
import { AppError, type Input, type VisitContext } from '@vaultsvc/contracts';
import { verifyPasskey, type PasskeyAnswer, type Verified } from '@vaultsvc/contracts/sparks';
import { Database, type Transaction } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { LinkSealer } from '../../link/link-sealer.js';
import { VerificationTokens } from '../verification/verification-tokens.js';
import { PasskeyAdmission, type PasskeyLink } from './passkey-admission.js';
import { PasskeyCeremony } from './passkey-ceremony.js';
import { PasskeyRepository } from './passkey.repository.js';

/** Stores a verified passkey, or the counter of its use; false when that is refused. */
type StorePasskey = (tx: Transaction) => Promise<boolean>;

@Controller()
export class VerifyPasskey {
  constructor(
    private readonly admission: PasskeyAdmission,
    private readonly ceremony: PasskeyCeremony,
    private readonly passkeys: PasskeyRepository,
    private readonly tokens: VerificationTokens,
    private readonly sealer: LinkSealer,
    private readonly database: Database,
  ) {}

  /** Consumes the challenge before the answer is verified: each challenge allows one attempt. */
  @Handles(verifyPasskey)
  async handle(
    { params, body: { response } }: Input<typeof verifyPasskey>,
    context: VisitContext,
  ): Promise<Verified> {
    const found = await this.admission.admit(params.link_code, context);
    const type = await this.passkeys.takeChallenge(this.ceremony.challengeOf(response), found.link.id);
    if (!type) throw new AppError('PASSKEY_REFUSED');
    const store =
      type === 'registration'
        ? await this.#register(found, response)
        : await this.#authenticate(found, response);
    const [identity] = await this.sealer.sealTexts(found.link.id, [found.identity]);
    if (!identity) throw new Error('nothing was sealed');
    return this.database.transaction(async (tx) => {
      if (!(await store(tx))) throw new AppError('PASSKEY_REFUSED');
      return this.tokens.issueForPasskey(tx, identity);
    });
  }

  /** Only a token of a code has made this challenge (`StartPasskey`). */
  async #register({ subject }: PasskeyLink, response: PasskeyAnswer['response']): Promise<StorePasskey> {
    const passkey = await this.ceremony.verifyRegistration(response);
    return (tx) => this.passkeys.add(tx, subject, passkey);
  }

  async #authenticate({ subject }: PasskeyLink, response: PasskeyAnswer['response']): Promise<StorePasskey> {
    const passkey = await this.passkeys.find(subject);
    if (!passkey) throw new AppError('PASSKEY_REFUSED');
    const used = await this.ceremony.verifyAuthentication(response, passkey);
    return (tx) => this.passkeys.advance(tx, subject, used);
  }
}
