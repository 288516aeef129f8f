import { Injectable } from '@nestjs/common';
import { Database } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { InvitationRemoval } from './invitation-removal.js';

const BATCH_MAX = 100;

/** Removes the users of expired invitations, which frees their seats (OPEN-59). Any number of instances may run it. */
@Injectable()
export class ExpireInvitations {
  readonly everySeconds = 600;

  constructor(
    private readonly database: Database,
    private readonly removal: InvitationRemoval,
    private readonly outbox: Outbox,
  ) {}

  async run(): Promise<void> {
    while ((await this.#expireBatch()) === BATCH_MAX);
    this.outbox.wake();
  }

  #expireBatch(): Promise<number> {
    return this.database.transaction((tx) => this.removal.expire(tx, BATCH_MAX));
  }
}
