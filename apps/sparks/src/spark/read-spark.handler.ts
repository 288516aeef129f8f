import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { readSpark, type SparkContent } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { assertBeforeDeadline } from '../call-context.js';
import { ClaimedContent } from './burning/claimed-content.js';
import { SparkSealer } from './sealing/spark-sealer.js';
import { BurnRepository, type Claim, type UnreadSpark } from './burning/burn.repository.js';
import { writePayload } from './sealing/content.js';
import { OptimisticBurn } from './optimistic-burn.js';

@Controller()
export class ReadSpark {
  constructor(
    private readonly optimistic: OptimisticBurn,
    private readonly burns: BurnRepository,
    private readonly sealer: SparkSealer,
    private readonly contents: ClaimedContent,
  ) {}

  @Handles(readSpark)
  async handle({ params }: Input<typeof readSpark>, context: AccountContext): Promise<SparkContent> {
    return (
      (await this.#readAtOnce(params.spark_id, context)) ?? (await this.#readLocked(params.spark_id, context))
    );
  }

  /** Undefined when the Spark is not there to be read at once; then the claim decides, and has the exact error. */
  async #readAtOnce(id: string, context: AccountContext): Promise<SparkContent | undefined> {
    const spark = await this.optimistic.find(id, context);
    const content = spark && this.sealer.openNow(spark, spark);
    if (!content) return undefined;
    try {
      const payload = writePayload(content, spark.contentType);
      const burnedAt = await this.optimistic.burn(spark, context);
      return burnedAt === undefined ? undefined : answer(spark, payload, burnedAt);
    } finally {
      content.fill(0);
    }
  }

  async #readLocked(id: string, context: AccountContext): Promise<SparkContent> {
    const claim = await this.burns.claimForReading(id, context.credential.accountId);
    try {
      return await this.#disclose(claim, context);
    } catch (error) {
      // Nothing was disclosed, as when key management is down or the burn has failed: the Spark may be read again.
      await this.burns.release(claim);
      throw error;
    }
  }

  /** Nothing may fail after the burn: burned content that is not returned is lost. */
  async #disclose(claim: Claim, context: AccountContext): Promise<SparkContent> {
    const content = await this.contents.open(claim);
    try {
      assertBeforeDeadline(context);
      const payload = writePayload(content, claim.contentType);
      return answer(claim, payload, await this.burns.burn(claim, context));
    } finally {
      content.fill(0);
    }
  }
}

function answer(spark: UnreadSpark, payload: string, burnedAt: number): SparkContent {
  return {
    spark_id: spark.id,
    payload,
    content_type: spark.contentType,
    filename: spark.filename,
    size_bytes: spark.sizeBytes,
    status: 'ash',
    created_at: spark.createdAt,
    burned_at: burnedAt,
    was_active: true,
  };
}
