import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import type { Transaction } from '@vaultsvc/database';
import { ShareRepository, type IngotOfVault } from '../sharing/share.repository.js';
import { LinkKeyRepository } from './link-key.repository.js';

/** Shreds what links that sparks has ended could open, of a vault that is held. Twice does no harm. */
@Injectable()
export class LinkEnds {
  constructor(
    private readonly shares: ShareRepository,
    private readonly keys: LinkKeyRepository,
  ) {}

  async end(tx: Transaction, ingot: IngotOfVault, linkId: string): Promise<void> {
    // What went with its ingot has gone, keys included. Who deletes the ingot holds it, and then wants its keys.
    if (!(await this.#isHeld(tx, ingot))) return;
    if (await this.shares.end(tx, ingot.ingotId, linkId)) await this.shares.touch(tx, ingot.ingotId);
    await this.keys.shred(tx, [{ linkId, accountId: ingot.accountId }]);
  }

  async #isHeld(tx: Transaction, ingot: IngotOfVault): Promise<boolean> {
    try {
      await this.shares.holdIngot(tx, ingot);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.reason === 'INGOT_NOT_FOUND') return false;
      throw error;
    }
  }
}
