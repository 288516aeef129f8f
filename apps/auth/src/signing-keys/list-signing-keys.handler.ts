import { Controller } from '@nestjs/common';
import { listSigningKeys, type SigningKeys } from '@vaultsvc/contracts/auth';
import { Handles } from '@vaultsvc/messaging';
import { AccessTokenKeys } from './access-token-keys.js';

/** Without the keys of receipts: a token that one of them has signed is of an unknown key. */
@Controller()
export class ListSigningKeys {
  constructor(private readonly signingKeys: AccessTokenKeys) {}

  @Handles(listSigningKeys)
  async handle(): Promise<SigningKeys> {
    return { keys_json: JSON.stringify({ keys: await this.signingKeys.publicKeys() }) };
  }
}
