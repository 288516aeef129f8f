import { Inject, Injectable } from '@nestjs/common';
import { AppError, type AccountContext } from '@vaultsvc/contracts';
import { joinKindling } from '@vaultsvc/contracts/sparks';
import { shardOf } from '@vaultsvc/crypto/encoding';
import { Bus } from '@vaultsvc/messaging';
import { HELD_SHARDS } from '@vaultsvc/service';
import { KindlingRepository } from './kindling.repository.js';

/** The groups of all shards, as an account that adds a Spark to one sees them. */
@Injectable()
export class Kindlings {
  constructor(
    private readonly groups: KindlingRepository,
    private readonly bus: Bus,
    @Inject(HELD_SHARDS) private readonly heldShards: readonly number[],
  ) {}

  /** Throws KINDLING_NOT_FOUND. */
  async assertExists(kindling: string, context: AccountContext): Promise<void> {
    if (this.isElsewhere(kindling)) return this.join(kindling, context);
    if (!(await this.groups.exists(kindling))) throw new AppError('KINDLING_NOT_FOUND');
  }

  /**
   * Tells the shard of a group that this one will have Sparks of it. Of groups in this database the insert of the Spark finds out whether
   * they exist. Throws KINDLING_NOT_FOUND.
   */
  async join(kindling: string, context: AccountContext): Promise<void> {
    if (!this.isElsewhere(kindling)) return;
    const body = { kindling, account_id: context.credential.accountId };
    await this.bus.call(joinKindling, { body }, context);
  }

  /** Whether another database has the group. */
  isElsewhere(kindling: string): boolean {
    return !this.heldShards.includes(shardOf(kindling));
  }
}
