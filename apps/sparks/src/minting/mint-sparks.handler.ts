import { Injectable } from '@nestjs/common';
import type { CallContext, Input } from '@vaultsvc/contracts';
import { mintSparks, type MintedSparks, type SparkMinting } from '@vaultsvc/contracts/sparks';
import { Database } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { SparkSeal, type SealedSpark } from '../keys/spark-seal.js';
import { assertAwaited } from '../spark/assert-awaited.js';
import { contentsOf } from './minted-content.js';
import { MintingRepository, type SparkToStore } from './minting.repository.js';
import { WithdrawalRepository } from './withdrawal.repository.js';

@Injectable()
export class MintSparks {
  constructor(
    private readonly database: Database,
    private readonly seal: SparkSeal,
    private readonly repository: MintingRepository,
    private readonly withdrawals: WithdrawalRepository,
  ) {}

  @Handles(mintSparks)
  async handle({ body }: Input<typeof mintSparks>, context: CallContext): Promise<MintedSparks> {
    const sparks = await this.#sealed(body);
    assertAwaited(context);
    const expires_at = await this.repository.insert(sparks, body, context.requestId);
    await this.#assertInTime(body, context);
    return { expires_at };
  }

  /** Whoever waits no longer has told that they are unclaimed, and it may have been before they were there. */
  async #assertInTime(minting: SparkMinting, context: CallContext): Promise<void> {
    try {
      assertAwaited(context);
    } catch (error) {
      const spark_ids = minting.sparks.map(({ spark_id }) => spark_id);
      await this.database.transaction((tx) =>
        this.withdrawals.withdraw(tx, { ...minting, spark_ids }, context.requestId),
      );
      throw error;
    }
  }

  async #sealed({ account_id: accountId, sparks }: SparkMinting): Promise<SparkToStore[]> {
    const contents = contentsOf(accountId, sparks);
    try {
      const sealed = await this.seal.sealMany(contents);
      return contents.map(({ spark, content }, index) => ({
        ...spark,
        sizeBytes: content.length,
        ...(sealed[index] as SealedSpark),
      }));
    } finally {
      for (const { content } of contents) content.fill(0);
    }
  }
}
