import { Controller } from '@nestjs/common';
import type { CallContext, Input } from '@vaultsvc/contracts';
import { verifyIdentity, type OpenedSession } from '@vaultsvc/contracts/auth';
import { Handles } from '@vaultsvc/messaging';
import { IdentityProvider } from '../identity/identity-provider.js';
import { SignIn } from './sign-in.js';

@Controller()
export class VerifyIdentity {
  constructor(
    private readonly provider: IdentityProvider,
    private readonly signIn: SignIn,
  ) {}

  @Handles(verifyIdentity)
  async handle({ body }: Input<typeof verifyIdentity>, context: CallContext): Promise<OpenedSession> {
    const proved = await this.provider.verifyIdToken(body.token);
    return this.signIn.open(proved, context, body.token);
  }
}
