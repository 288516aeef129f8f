import { Controller } from '@nestjs/common';
import type { CallContext, Input } from '@vaultsvc/contracts';
import { exchangeCode, type OpenedSession } from '@vaultsvc/contracts/auth';
import { Handles } from '@vaultsvc/messaging';
import { IdentityProvider } from '../identity/identity-provider.js';
import { SignIn } from './sign-in.js';

@Controller()
export class ExchangeCode {
  constructor(
    private readonly provider: IdentityProvider,
    private readonly signIn: SignIn,
  ) {}

  @Handles(exchangeCode)
  async handle({ body, query }: Input<typeof exchangeCode>, context: CallContext): Promise<OpenedSession> {
    const proved = await this.provider.exchangeCode(body.code, body.code_verifier, query.redirect);
    return this.signIn.open(proved, context);
  }
}
