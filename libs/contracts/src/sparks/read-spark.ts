import { EpochSeconds, Flag, IdOf, Int, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';

export class SparkPath {
  @IdOf('spk') spark_id: string;
}

export class SparkContent {
  @IdOf('spk') spark_id: string;
  @Text({ max: 256_000, raw: true, description: 'Text as it was given; base64 where the content is binary.' })
  payload: string;
  @Text({ max: 255 }) content_type: string;
  @Text({ max: 255, nullable: true }) filename: string | null;
  @Int({ min: 0 }) size_bytes: number;
  @OneOf(['ash']) status: 'ash';
  @EpochSeconds() created_at: number;
  @EpochSeconds() burned_at: number;
  @Flag() was_active: true;
}

/**
 * Reads and burns (SPK-25): the answer is the only one that ever holds the plaintext. Foreign Sparks without a
 * kindling look unknown (AMB-06). Draws the size from the reader's bandwidth and is never refused for it (OPEN-58).
 */
export const readSpark = operation({
  name: 'sparks.read',
  summary: 'Reads a Spark and burns it: the content is returned exactly once.',
  http: { method: 'GET', path: '/v1/sparks/{spark_id}', status: 200 },
  access: { credential: 'key' },
  billable: true,
  params: SparkPath,
  unknown: 'SPARK_NOT_FOUND',
  reply: SparkContent,
  errors: ['SPARK_NOT_FOUND', 'SPARK_BURNED', 'SPARK_EXPIRED', 'SPARK_READ_IN_FLIGHT'],
});
