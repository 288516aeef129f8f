import { Inject, Injectable } from '@nestjs/common';
import type { CallContext, Input } from '@vaultsvc/contracts';
import { verifyIdentity, type OpenedSession } from '@vaultsvc/contracts/auth';
import { Handles } from '@vaultsvc/messaging';
import { IdentityProvider } from './identity-provider.js';
import { SignIn } from './sign-in.js';

@Injectable()
export class VerifyIdentity {
  constructor(
    @Inject(IdentityProvider) private readonly provider: IdentityProvider,
    @Inject(SignIn) private readonly signIn: SignIn,
  ) {}

  @Handles(verifyIdentity)
  async handle({ body }: Input<typeof verifyIdentity>, context: CallContext): Promise<OpenedSession> {
    const proved = await this.provider.verifyIdToken(body.token);
    return this.signIn.open(proved, context);
  }
}
