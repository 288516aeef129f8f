import { validationError } from '@vaultsvc/contracts';
import {
  MINT_BYTES_MAX,
  MINT_SPARKS_MAX,
  SPARK_PAYLOAD_BYTES_MAX,
  type SparkToMint,
} from '@vaultsvc/contracts/sparks';
import { decodeBase64 } from '@vaultsvc/crypto/encoding';
import type { SparkContent } from '../keys/spark-seal.js';

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
