import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import type { Claim } from './burn.repository.js';
import { SparkSealer } from '../sealing/spark-sealer.js';
import { SharedContentRepository } from '../sealing/shared-content.repository.js';
import { SharedContentSealer } from '../sealing/shared-content-sealer.js';

/** Opens the content of a claimed Spark: its own, or the one that it shares with the other Sparks of a send. */
@Injectable()
export class ClaimedContent {
  constructor(
    private readonly sealer: SparkSealer,
    private readonly contents: SharedContentRepository,
    private readonly sharedSealer: SharedContentSealer,
  ) {}

  /** The caller wipes it. Throws SPARK_EXPIRED when the content ended after the claim, and as `SparkSealer.open`. */
  async open(claim: Claim): Promise<Buffer> {
    if (claim.contentId === null) return this.sealer.open(claim, claim);
    const shared = await this.contents.find(claim.contentId, claim.accountId);
    if (!shared) throw new AppError('SPARK_EXPIRED');
    return this.sharedSealer.open(claim, claim, shared.group_id, shared.ciphertext);
  }
}
