import { EpochSeconds, IdOf, Int, ListOf, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';

/** A batch holds content of at most so many bytes: with base64 it fits a message. */
export const MINT_BYTES_MAX = 4 * 1_048_576;
/** Sparks of a batch, and of a withdrawal. */
export const MINT_SPARKS_MAX = 100;

export class SparkToMint {
  @IdOf('spk', { description: 'Drawn by the caller, who can so tell of what it got no answer for.' })
  spark_id: string;
  @Text({ max: 255 }) content_type: string;
  @Text({ max: 350_000, description: 'Base64: JSON would blow up control characters six times.' })
  content: string;
}

/** Whose the Sparks are, and who has them made. */
export class SparkOwner {
  @IdOf('acc') account_id: string;
  @OneOf(['api_key', 'session']) actor_type: 'api_key' | 'session';
  @Text({ max: 64 }) actor_id: string;
}

export class SparkMinting extends SparkOwner {
  @Int({ min: 60, max: 86_400 }) ttl_seconds: number;
  @ListOf(() => SparkToMint, { max: MINT_SPARKS_MAX }) sparks: SparkToMint[];
}

export class MintedSparks {
  @EpochSeconds({ description: 'Of all of them.' }) expires_at: number;
}

/** Stores Sparks that their account alone can read: all of the batch, or none (STR-12). */
export const mintSparks = operation({
  name: 'sparks.mint-many',
  summary: 'Stores a batch of Sparks.',
  access: 'internal',
  body: SparkMinting,
  reply: MintedSparks,
});
