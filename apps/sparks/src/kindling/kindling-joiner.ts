import { Inject, Injectable } from '@nestjs/common';
import { AppError, type AccountContext } from '@vaultsvc/contracts';
import { joinKindling } from '@vaultsvc/contracts/sparks';
import { shardOf } from '@vaultsvc/crypto/encoding';
import { Bus } from '@vaultsvc/messaging';
import { SERVED_SHARD } from '@vaultsvc/service';
import { KindlingRepository } from './kindling.repository.js';

/** A call with an Idempotency-Key holds a connection meanwhile, which a silent shard must not take from the others. */
const JOIN_MS_MAX = 2_000;

/** Adds Sparks to kindlings of this shard and of others. */
@Injectable()
export class KindlingJoiner {
  constructor(
    private readonly kindlings: KindlingRepository,
    private readonly bus: Bus,
    @Inject(SERVED_SHARD) private readonly ownShard: number,
  ) {}

  /** Throws KINDLING_NOT_FOUND. */
  async assertExists(kindling: string, context: AccountContext): Promise<void> {
    if (this.isElsewhere(kindling)) return this.joinIfElsewhere(kindling, context);
    if (!(await this.kindlings.exists(kindling))) throw new AppError('KINDLING_NOT_FOUND');
  }

  /**
   * Records at the shard of a kindling that this one has Sparks of it. Whether a kindling of this shard exists is a condition of the insert
   * of the Spark. Throws KINDLING_NOT_FOUND.
   */
  async joinIfElsewhere(kindling: string, context: AccountContext): Promise<void> {
    if (!this.isElsewhere(kindling)) return;
    const body = { kindling, account_id: context.credential.accountId };
    const deadlineMs = Math.min(context.deadlineMs, Date.now() + JOIN_MS_MAX);
    await this.bus.call(joinKindling, { body }, { ...context, deadlineMs });
  }

  /** Whether another shard has the kindling. */
  isElsewhere(kindling: string): boolean {
    return shardOf(kindling) !== this.ownShard;
  }
}
