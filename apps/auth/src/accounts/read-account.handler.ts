import { Controller } from '@nestjs/common';
import type { ContextOf, Input } from '@vaultsvc/contracts';
import { readAccount, type Account } from '@vaultsvc/contracts/auth';
import { Handles } from '@vaultsvc/messaging';
import { AccountDetailsRepository } from './account-details.repository.js';

@Controller()
export class ReadAccount {
  constructor(private readonly details: AccountDetailsRepository) {}

  @Handles(readAccount)
  handle(_: Input<typeof readAccount>, context: ContextOf<typeof readAccount>): Promise<Account> {
    return this.details.read(context.credential.accountId);
  }
}
