import { IdOf, Int, OneOf, Text } from '../core/fields.js';
import { event } from '../core/event.js';

/** What every Spark event tells: ids and figures, nothing of the content. */
export class SparkFact {
  @IdOf('spk') spark_id: string;
  /** The owner, whose storage holds the Spark until it is read, deleted or expired. */
  @IdOf('acc') account_id: string;
  @Int({ min: 0 }) size_bytes: number;
}

/** Who did it; `actor_id` is the user, or the API key. */
export class SparkAction extends SparkFact {
  @OneOf(['api_key', 'session']) actor_type: 'api_key' | 'session';
  @Text({ max: 64 }) actor_id: string;
}

/** A visitor has no account: the link acts, under its id, for its owner (LNK-16). */
export class SparkReading extends SparkFact {
  @OneOf(['api_key', 'session', 'link']) actor_type: 'api_key' | 'session' | 'link';
  @Text({ max: 64 }) actor_id: string;
  /** Whose bandwidth the read draws: a kindling Spark may be read by another account than its owner. */
  @IdOf('acc') reader_account_id: string;
}

/** Draws `size_bytes` of storage and of bandwidth from the owner (OPEN-58). */
export const sparkCreated = event({ name: 'sparks.created', payload: SparkAction, consumers: ['reporting'] });

/** Burned: releases the owner's storage, draws the reader's bandwidth. The delivery's account is the reader. */
export const sparkRead = event({ name: 'sparks.read', payload: SparkReading, consumers: ['reporting'] });

/** Deleted before it was read or wiped: releases the owner's storage. */
export const sparkDeleted = event({ name: 'sparks.deleted', payload: SparkAction, consumers: ['reporting'] });

/** Expired unread and wiped: releases the owner's storage. No caller, so the delivery's request is null. */
export const sparkExpired = event({ name: 'sparks.expired', payload: SparkFact, consumers: ['reporting'] });
