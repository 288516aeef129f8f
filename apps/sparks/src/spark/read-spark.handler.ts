import { Injectable } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { readSpark, type SparkContent } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { SparkSealer } from './spark-sealer.js';
import { assertBeforeDeadline } from '../call-context.js';
import { BurnRepository, type Claim } from './burn.repository.js';
import { writePayload } from './content.js';

@Injectable()
export class ReadSpark {
  constructor(
    private readonly burns: BurnRepository,
    private readonly seal: SparkSealer,
  ) {}

  @Handles(readSpark)
  async handle({ params }: Input<typeof readSpark>, context: AccountContext): Promise<SparkContent> {
    const claim = await this.burns.claimForReading(params.spark_id, context.credential.accountId);
    try {
      return await this.#disclose(claim, context);
    } catch (error) {
      // Key management down, a damaged row, a burn that failed: not disclosed, so it may be read again.
      await this.burns.release(claim);
      throw error;
    }
  }

  /** Nothing after the burn may fail: what is burned and not answered is lost. */
  async #disclose(claim: Claim, context: AccountContext): Promise<SparkContent> {
    const content = await this.seal.open(claim, claim);
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
