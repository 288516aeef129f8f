import { Injectable } from '@nestjs/common';
import { Database, runInBatches, expiredTokenSteps } from '@vaultsvc/database';

/** Deletes the wrapped keys of expired ISTKs at once, and their rows after 30 days. */
@Injectable()
export class DeleteExpiredIstks {
  readonly everySeconds = 60;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    for (const step of steps) await runInBatches(this.database, step);
  }
}

const steps = expiredTokenSteps('istks');
