import { Injectable } from '@nestjs/common';
import { Database } from '@vaultsvc/database';
import { InvitationRemoval } from './invitation-removal.js';

const BATCH_MAX = 100;

/** Removes the users of expired invitations, which frees their seats (OPEN-59). Any number of instances may run it. */
@Injectable()
export class ExpireInvitations {
  readonly everySeconds = 600;

  constructor(
    private readonly database: Database,
    private readonly removal: InvitationRemoval,
  ) {}

  async run(): Promise<void> {
    while ((await this.#expireBatch()) === BATCH_MAX);
  }

  #expireBatch(): Promise<number> {
    return this.database.transaction((tx) => this.removal.expire(tx, BATCH_MAX));
  }
}
