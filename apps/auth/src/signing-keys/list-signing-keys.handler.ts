import { Controller } from '@nestjs/common';
import { listSigningKeys, type SigningKeys as SigningKeyList } from '@vaultsvc/contracts/auth';
import { Handles } from '@vaultsvc/messaging';
import { SigningKeys } from './signing-keys.js';

/** Without the keys of receipts: a token that one of them has signed is of an unknown key. */
@Controller()
export class ListSigningKeys {
  constructor(private readonly signingKeys: SigningKeys) {}

  @Handles(listSigningKeys)
  async handle(): Promise<SigningKeyList> {
    return { keys_json: JSON.stringify({ keys: await this.signingKeys.publicKeys() }) };
  }
}
