import { Controller } from '@nestjs/common';
import { validationError, type CallContext, type Input } from '@vaultsvc/contracts';
import {
  MINT_BYTES_MAX,
  MINT_SPARKS_MAX,
  mintSparks,
  SPARK_PAYLOAD_BYTES_MAX,
  type MintedSparks,
  type SparkMinting,
  type SparkToMint,
} from '@vaultsvc/contracts/sparks';
import { decodeBase64 } from '@vaultsvc/crypto/encoding';
import { Database } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { assertBeforeDeadline } from '../../call-context.js';
import { SparkRemovalRepository } from '../spark-removal.repository.js';
import { SparkSealer, type SealedSpark, type SparkPlaintext } from '../sealing/spark-sealer.js';
import { MintedSparkRepository, type NewMintedSpark } from './minted-spark.repository.js';

@Controller()
export class MintSparks {
  constructor(
    private readonly database: Database,
    private readonly sealer: SparkSealer,
    private readonly sparks: MintedSparkRepository,
    private readonly removals: SparkRemovalRepository,
  ) {}

  @Handles(mintSparks)
  async handle({ body }: Input<typeof mintSparks>, context: CallContext): Promise<MintedSparks> {
    const sparks = await this.#sealed(body);
    assertBeforeDeadline(context);
    const expires_at = await this.sparks.insert(sparks, body, context.requestId);
    await this.#removeAfterDeadline(body, context);
    return { expires_at };
  }

  /** Past its deadline the caller has published `sparksUnclaimed`, perhaps before the insert: the event removed nothing. */
  async #removeAfterDeadline(minting: SparkMinting, context: CallContext): Promise<void> {
    try {
      assertBeforeDeadline(context);
    } catch (error) {
      const spark_ids = minting.sparks.map(({ spark_id }) => spark_id);
      await this.database.transaction((tx) =>
        this.removals.removeUnclaimed(tx, { ...minting, spark_ids }, context.requestId),
      );
      throw error;
    }
  }

  async #sealed({ account_id: accountId, sparks }: SparkMinting): Promise<NewMintedSpark[]> {
    const contents = contentsOf(accountId, sparks);
    try {
      const sealed = await this.sealer.sealMany(contents);
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
 * Decodes the contents of a batch; the caller wipes them after use. Throws VALIDATION_ERROR for an empty batch, for more
 * than MINT_SPARKS_MAX Sparks or MINT_BYTES_MAX bytes, and for a content that is not base64.
 */
function contentsOf(accountId: string, sparks: readonly SparkToMint[]): SparkPlaintext[] {
  if (sparks.length === 0 || sparks.length > MINT_SPARKS_MAX)
    throw invalidSparks(`must hold 1 to ${MINT_SPARKS_MAX} Sparks`);
  const contents = sparks.map((spark) => ({ spark: identityOf(accountId, spark), content: decoded(spark) }));
  const bytes = contents.reduce((sum, { content }) => sum + content.length, 0);
  if (bytes > MINT_BYTES_MAX) throw invalidSparks(`must hold at most ${MINT_BYTES_MAX} bytes of content`);
  return contents;
}

/** Without a kindling only their account can read them. */
function identityOf(accountId: string, { spark_id: id, content_type: contentType }: SparkToMint) {
  return { id, accountId, contentType, kindling: null };
}

function decoded({ content }: SparkToMint): Buffer {
  const bytes = decodeBase64(content);
  if (!bytes) throw invalidSparks('must hold base64');
  if (bytes.length > SPARK_PAYLOAD_BYTES_MAX)
    throw invalidSparks(`must hold contents of at most ${SPARK_PAYLOAD_BYTES_MAX} bytes`);
  return bytes;
}

function invalidSparks(problem: string) {
  return validationError({ field: 'sparks', message: `sparks ${problem}` });
}
