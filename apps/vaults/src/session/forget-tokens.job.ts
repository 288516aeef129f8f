import { Injectable } from '@nestjs/common';
import { Database, runInBatches, expiredTokenSteps } from '@vaultsvc/database';

/** Wipes the wraps of expired Vault Access Tokens, and deletes the rows after 30 days. */
@Injectable()
export class ForgetTokens {
  readonly everySeconds = 60;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    for (const step of steps) await runInBatches(this.database, step);
  }
}

const steps = expiredTokenSteps('vault_sessions');
