import { Controller } from '@nestjs/common';
import { readJwks, type JwkSet } from '@vaultsvc/contracts/auth';
import { Handles } from '@vaultsvc/messaging';
import { SigningKeys } from './signing-keys.js';

@Controller()
export class ReadJwks {
  constructor(private readonly signingKeys: SigningKeys) {}

  @Handles(readJwks)
  handle(): Promise<JwkSet> {
    return this.signingKeys.jwks();
  }
}
