import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { readSpark, type SparkContent } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { assertBeforeDeadline } from '../call-context.js';
import { SparkSealer } from './spark-sealer.js';
import { BurnRepository, type Claim } from './burn.repository.js';
import { writePayload } from './content.js';

@Controller()
export class ReadSpark {
  constructor(
    private readonly burns: BurnRepository,
    private readonly sealer: SparkSealer,
  ) {}

  @Handles(readSpark)
  async handle({ params }: Input<typeof readSpark>, context: AccountContext): Promise<SparkContent> {
    const claim = await this.burns.claimForReading(params.spark_id, context.credential.accountId);
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
    const content = await this.sealer.open(claim, claim);
    try {
      assertBeforeDeadline(context);
      const payload = writePayload(content, claim.contentType);
      return answer(claim, payload, await this.burns.burn(claim, context));
    } finally {
      content.fill(0);
    }
  }
}

function answer(claim: Claim, payload: string, burnedAt: number): SparkContent {
  return {
    spark_id: claim.id,
    payload,
    content_type: claim.contentType,
    filename: claim.filename,
    size_bytes: claim.sizeBytes,
    status: 'ash',
    created_at: claim.createdAt,
    burned_at: burnedAt,
    was_active: true,
  };
}
