import { Injectable } from '@nestjs/common';
import { type CallContext, type Input, validationError } from '@vaultsvc/contracts';
import {
  mintSparks,
  type MintedSparks,
  type SparkMinting,
  MINT_BYTES_MAX,
  MINT_SPARKS_MAX,
  SPARK_PAYLOAD_BYTES_MAX,
  type SparkToMint,
} from '@vaultsvc/contracts/sparks';
import { Database } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { decodeBase64 } from '@vaultsvc/crypto/encoding';
import { SparkSealer, type SealedSpark, type SparkContent } from '../spark/spark-sealer.js';
import { assertBeforeDeadline } from '../call-context.js';
import { MintedSparkRepository, type SparkToStore } from './minted-spark.repository.js';
import { WithdrawalRepository } from './withdrawal.repository.js';

@Injectable()
export class MintSparks {
  constructor(
    private readonly database: Database,
    private readonly seal: SparkSealer,
    private readonly repository: MintedSparkRepository,
    private readonly withdrawals: WithdrawalRepository,
  ) {}

  @Handles(mintSparks)
  async handle({ body }: Input<typeof mintSparks>, context: CallContext): Promise<MintedSparks> {
    const sparks = await this.#sealed(body);
    assertBeforeDeadline(context);
    const expires_at = await this.repository.insert(sparks, body, context.requestId);
    await this.#assertInTime(body, context);
    return { expires_at };
  }

  /** Whoever waits no longer has told that they are unclaimed, and it may have been before they were there. */
  async #assertInTime(minting: SparkMinting, context: CallContext): Promise<void> {
    try {
      assertBeforeDeadline(context);
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

/**
 * The contents of a batch; whoever takes them fills them with 0 when done. Throws VALIDATION_ERROR for what its caller
 * should never have sent: nothing, too many or too much, or a content that is no base64.
 */
export function contentsOf(accountId: string, sparks: readonly SparkToMint[]): SparkContent[] {
  if (sparks.length === 0 || sparks.length > MINT_SPARKS_MAX)
    throw refusal(`must hold 1 to ${MINT_SPARKS_MAX} Sparks`);
  const contents = sparks.map((spark) => ({ spark: identityOf(accountId, spark), content: decoded(spark) }));
  const bytes = contents.reduce((sum, { content }) => sum + content.length, 0);
  if (bytes > MINT_BYTES_MAX) throw refusal(`must hold at most ${MINT_BYTES_MAX} bytes of content`);
  return contents;
}

/** No kindling: their account alone can read them. */
function identityOf(accountId: string, { spark_id: id, content_type: contentType }: SparkToMint) {
  return { id, accountId, contentType, kindling: null };
}

function decoded({ content }: SparkToMint): Buffer {
  const bytes = decodeBase64(content);
  if (!bytes) throw refusal('must hold base64');
  if (bytes.length > SPARK_PAYLOAD_BYTES_MAX)
    throw refusal(`must hold contents of at most ${SPARK_PAYLOAD_BYTES_MAX} bytes`);
  return bytes;
}

function refusal(problem: string) {
  return validationError({ field: 'sparks', message: `sparks ${problem}` });
}
