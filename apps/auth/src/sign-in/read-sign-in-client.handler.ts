import { Controller } from '@nestjs/common';
import { readSignInClient, type SignInClient } from '@vaultsvc/contracts/auth';
import { Handles } from '@vaultsvc/messaging';
import { IdentityProvider } from '../identity/identity-provider.js';

@Controller()
export class ReadSignInClient {
  constructor(private readonly provider: IdentityProvider) {}

  @Handles(readSignInClient)
  handle(): Promise<SignInClient> {
    return this.provider.signInClient();
  }
}
