import { Controller } from '@nestjs/common';
import { readJwks, type JwkSet } from '@vaultsvc/contracts/auth';
import { Handles } from '@vaultsvc/messaging';
import { ReceiptKeys } from './receipt-keys.js';
import { AccessTokenKeys } from './access-token-keys.js';

@Controller()
export class ReadJwks {
  constructor(
    private readonly signingKeys: AccessTokenKeys,
    private readonly receiptKeys: ReceiptKeys,
  ) {}

  @Handles(readJwks)
  async handle(): Promise<JwkSet> {
    const [ofTokens, ofReceipts] = await Promise.all([
      this.signingKeys.publicKeys(),
      this.receiptKeys.publicKeys(),
    ]);
    return { keys: [...ofTokens, ...ofReceipts] };
  }
}
