import { Actor, ActorSummary, ExactActor } from '../core/actor.js';
import { event } from '../core/event.js';
import { Example } from '../core/example.js';
import {
  Cursor,
  EpochSeconds,
  Flag,
  IdOf,
  Int,
  ListOf,
  Name,
  Nested,
  OneOf,
  Pattern,
  Text,
} from '../core/fields.js';
import { MEDIA_TYPE } from '../core/media-type.js';
import { operation } from '../core/operation.js';

/** Largest payload in bytes: its UTF-8, or its base64 text if the content is binary (SPK-02). */
export const SPARK_PAYLOAD_BYTES_MAX = 256_000;

const MEBIBYTE = 1_048_576;

/** Most characters of a label. */
export const SPARK_LABEL_MAX = 100;

/** The label of a Spark, in what its account reads. */
export const LabelField = () =>
  Text({
    max: SPARK_LABEL_MAX,
    optional: true,
    description: 'The note of the creator, in plain text. Visitors of links never get it.',
  });

/** The creator of a Spark or link, in what its account reads. Rows of releases before this field have none. */
export const CreatorField = () =>
  Nested(() => ActorSummary, { optional: true, description: 'Absent if an earlier release created it.' });

/** Path parameters of operations on one Spark. */
export class SparkParams {
  @IdOf('spk') spark_id: string;
}

/** Body of `createSpark`. */
export class NewSpark {
  // The service itself refuses payloads above 256,000 bytes, with 413. This maximum lies above the limit of the body.
  @Text({
    max: 2 * MEBIBYTE,
    raw: true,
    description:
      'The secret: text unchanged, binary content in base64, for text/uri-list one http or https URL. At most 256,000 bytes, else 413.',
  })
  payload: string;

  @Int({ min: 1, max: 1_440, optional: true, description: 'Lifetime of an unread Spark in minutes.' })
  ttl_minutes = 1_440;

  @Pattern(MEDIA_TYPE, {
    optional: true,
    max: 255,
    says: 'a media type such as text/plain or image/png',
    description:
      'text/*, application/json, application/xml, application/javascript and +json or +xml types are text; text/uri-list makes a link Spark; all others are binary.',
  })
  content_type = 'text/plain';

  @Name({
    max: 255,
    optional: true,
    nullable: true,
    description: 'Shown in lists, so it should not reveal the secret.',
  })
  filename: string | null = null;

  @Name({
    max: SPARK_LABEL_MAX,
    optional: true,
    description:
      'A note by which the people of the account recognize the Spark in lists. It is not sealed: it is stored as plain text and must not hold a secret. Visitors of links never get it.',
  })
  label?: string;

  @Flag({ optional: true, description: 'Whether to start a new kindling, a group of Sparks.' })
  with_kindling = false;

  @IdOf('kdl', {
    optional: true,
    description: 'The kindling to join. It takes precedence over with_kindling.',
  })
  kindling?: string;

  @Text({
    max: 45,
    optional: true,
    description: 'Link Sparks only: the one IPv4 or IPv6 address that may open the link.',
  })
  bound_ip?: string;
}

/** A new Spark. */
@Example({ size_bytes: 28 })
export class CreatedSpark {
  @IdOf('spk') spark_id: string;
  @Int({ min: 0, description: 'Bytes of the content; binary content is counted decoded.' })
  size_bytes: number;
  @OneOf(['active']) status: 'active';
  @EpochSeconds() created_at: number;
  @EpochSeconds() expires_at: number;
  @Int({ min: 1 }) ttl_minutes: number;
  @Text({ max: 255, optional: true }) filename?: string;
  @LabelField() label?: string;
  @IdOf('kdl', { optional: true }) kindling?: string;
  @Text({ max: 2_048, optional: true, description: 'Link Sparks only.' }) link_url?: string;
  @Text({ max: 64, optional: true, description: 'Link Sparks only.' }) link_code?: string;
}

/**
 * Stores a secret that can be read once. Its size draws storage until it is read or expires, and bandwidth at once
 * (OPEN-58).
 */
export const createSpark = operation({
  name: 'sparks.create',
  summary: 'Creates a Spark: a secret that can be read once and expires after at most 24 hours.',
  http: { method: 'POST', path: '/v1/sparks', status: 201 },
  idempotent: { id: 'spark_id', secrets: ['link_url'] },
  access: { credential: 'key' },
  billable: true,
  bodyBytesMax: 2 * MEBIBYTE,
  body: NewSpark,
  reply: CreatedSpark,
  errors: ['KINDLING_NOT_FOUND'],
});

/** Bytes of content in one `mintSparks`: their base64 fits into one NATS message. */
export const MINT_BYTES_MAX = 4 * 1_048_576;
/** Sparks in one `mintSparks`, and in one withdrawal of unclaimed Sparks. */
export const MINT_SPARKS_MAX = 100;

/** One Spark to mint. */
export class SparkToMint {
  @IdOf('spk', { description: 'Chosen by the caller, which can withdraw the Spark if no reply arrives.' })
  spark_id: string;
  @Text({ max: 255 }) content_type: string;
  @Text({ max: 350_000, description: 'Base64. JSON would escape control characters to six bytes each.' })
  content: string;
}

/** The account that owns the Sparks, and what causes them: a user, an API key, or a visitor of a link, who replies. */
export class SparkOwner {
  @IdOf('acc') account_id: string;
  @OneOf(['api_key', 'session', 'link']) actor_type: 'api_key' | 'session' | 'link';
  @Text({ max: 64 }) actor_id: string;
  @ExactActor() actor?: Actor;
}

/** Body of `mintSparks`. */
export class SparkMinting extends SparkOwner {
  @Int({ min: 60, max: 86_400 }) ttl_seconds: number;
  @ListOf(() => SparkToMint, { max: MINT_SPARKS_MAX }) sparks: SparkToMint[];
}

/** The minted Sparks. */
export class MintedSparks {
  @EpochSeconds({ description: 'Of all Sparks of the batch.' }) expires_at: number;
}

/** Stores a batch of Sparks that only their account can read, all or none (STR-12). */
export const mintSparks = operation({
  name: 'sparks.mint-many',
  summary: 'Stores a batch of Sparks.',
  access: 'internal',
  callers: ['vaults', 'notify', 'integrations'],
  body: SparkMinting,
  reply: MintedSparks,
});

/** Query of `listSparks`. */
export class SparkListQuery {
  /** `expired` is shown but is no filter (AMB-07). */
  @OneOf(['active', 'ash'], { optional: true, description: 'Only Sparks of this status.' })
  status?: 'active' | 'ash';

  @IdOf('kdl', { optional: true, description: 'The Sparks of this kindling, of all accounts.' })
  kindling?: string;

  @Int({ min: 1, max: 500, optional: true }) limit = 100;
  @Cursor() cursor?: string;
}

export type SparkStatus = 'active' | 'reading' | 'ash' | 'expired';

/** A Spark without its content (SPK-19). */
@Example({ size_bytes: 28, burned_at: null })
export class Spark {
  @IdOf('spk') spark_id: string;
  @IdOf('acc', { description: 'The owner.' }) account_id: string;
  @Text({ max: 255 }) content_type: string;
  @Text({ max: 255, optional: true }) filename?: string;
  /** As `created_by`, for the account of the Spark only: others list its kindling (SPK-21). */
  @LabelField() label?: string;
  @CreatorField() created_by?: ActorSummary;
  @OneOf(['active', 'reading', 'ash', 'expired']) status: SparkStatus;
  @Int({ min: 0 }) size_bytes: number;
  @Int({ min: 1 }) ttl_minutes: number;
  @EpochSeconds() created_at: number;
  @EpochSeconds() expires_at: number;
  @EpochSeconds({ nullable: true }) burned_at: number | null;
  @Int({ min: 0, description: 'Seconds until expires_at; 0 afterwards.' }) time_remaining: number;
  @IdOf('kdl', { optional: true }) kindling?: string;
  @Text({ max: 2_048, optional: true, description: 'Link Sparks only.' }) link_url?: string;
  @Text({ max: 64, optional: true, description: 'Link Sparks only.' }) link_code?: string;
}

/** A page of Sparks. */
export class SparkList {
  @ListOf(() => Spark) sparks: Spark[];
  @Int({ min: 0 }) count: number;
  @Flag() has_more: boolean;
  @Text({ max: 2_048, optional: true }) next_cursor?: string;
}

/**
 * Lists Sparks, newest first. Burned Sparks are listed until their expiry, expired ones for another 24 hours (AMB-07).
 * With `kindling` the list holds the Sparks of the group, of all accounts (SPK-21).
 */
export const listSparks = operation({
  name: 'sparks.list',
  summary: 'Lists Sparks without their content, newest first.',
  http: { method: 'GET', path: '/v1/sparks', status: 200 },
  access: { credential: 'key' },
  shardBy: 'kindling',
  query: SparkListQuery,
  reply: SparkList,
  cursor: 'next_cursor',
  repeatable: true,
});

/** The content of a Spark. */
@Example({ filename: null, size_bytes: 28 })
export class SparkContent {
  @IdOf('spk') spark_id: string;
  @Text({
    max: 256_000,
    raw: true,
    description: 'Text as it was created; base64 if the content is binary.',
  })
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
 * Reads and burns a Spark (SPK-25): this reply is the only one that ever holds the plaintext. Sparks of other accounts
 * without a kindling are answered like unknown ones (AMB-06). Draws the size from the bandwidth of the reader, even if
 * that pool is exhausted (OPEN-58).
 */
export const readSpark = operation({
  name: 'sparks.read',
  summary: 'Reads a Spark and burns it: the content is returned exactly once.',
  http: { method: 'GET', path: '/v1/sparks/{spark_id}', status: 200 },
  access: { credential: 'key' },
  shardBy: 'spark_id',
  callers: ['integrations'],
  billable: true,
  params: SparkParams,
  unknown: 'SPARK_NOT_FOUND',
  reply: SparkContent,
  errors: ['SPARK_NOT_FOUND', 'SPARK_BURNED', 'SPARK_EXPIRED', 'SPARK_READ_IN_FLIGHT'],
});

/**
 * Deletes an unread Spark with its link. Idempotent: unknown, foreign, malformed and burned ids get the same reply
 * (AMB-04, AMB-05). 409 while a read is in progress.
 */
export const deleteSpark = operation({
  name: 'sparks.delete',
  summary:
    'Deletes an unread Spark and its link. For an unknown or burned Spark the request succeeds and changes nothing.',
  http: { method: 'DELETE', path: '/v1/sparks/{spark_id}', status: 204 },
  access: { credential: 'key' },
  shardBy: 'spark_id',
  callers: ['integrations'],
  params: SparkParams,
  unknown: 'no-content',
  errors: ['SPARK_READ_IN_FLIGHT'],
});

/** Payload of all Spark events: ids and figures, nothing of the content. */
export class SparkEvent {
  @IdOf('spk') spark_id: string;
  /** The owner, whose storage the Spark uses until it is read, deleted or expired. */
  @IdOf('acc') account_id: string;
  @Int({ min: 0 }) size_bytes: number;
}

/** A Spark event with its actor; `actor_id` is the user, the API key, or the link whose visitor replied. */
export class SparkAction extends SparkEvent {
  @OneOf(['api_key', 'session', 'link']) actor_type: 'api_key' | 'session' | 'link';
  @Text({ max: 64 }) actor_id: string;
  @ExactActor() actor?: Actor;
}

/** Payload of `sparkCreated`. Publishers of earlier releases have neither field. */
export class SparkCreation extends SparkAction {
  @EpochSeconds({ optional: true }) expires_at?: number;
  /** Plain text, for the history of the account; reporting keeps it outside the audit log. */
  @Text({ max: SPARK_LABEL_MAX, optional: true, nullable: true }) label?: string | null;
}

/** A read. A visitor of a link has no account, so the link itself is the actor, by its id (LNK-16). */
export class SparkReading extends SparkEvent {
  @OneOf(['api_key', 'session', 'link']) actor_type: 'api_key' | 'session' | 'link';
  @Text({ max: 64 }) actor_id: string;
  @ExactActor() actor?: Actor;
  /** The account whose bandwidth the read draws: other accounts may read a Spark of a kindling. */
  @IdOf('acc') reader_account_id: string;
}

/** Draws `size_bytes` of storage and of bandwidth from the owner (OPEN-58). */
export const sparkCreated = event({
  name: 'sparks.created',
  payload: SparkCreation,
  consumers: ['reporting'],
});

/** Burned: releases the owner's storage, draws the reader's bandwidth. The delivery's account is the reader. */
export const sparkRead = event({ name: 'sparks.read', payload: SparkReading, consumers: ['reporting'] });

/** Deleted unread: releases the owner's storage. */
export const sparkDeleted = event({ name: 'sparks.deleted', payload: SparkAction, consumers: ['reporting'] });

/** Payload of `sparkExpired`. `actor` is present if a command of the operator has burned the Spark. */
export class SparkExpiry extends SparkEvent {
  @ExactActor() actor?: Actor;
}

/** Expired unread and wiped: releases the owner's storage. No request causes it, so the delivery's request is null. */
export const sparkExpired = event({ name: 'sparks.expired', payload: SparkExpiry, consumers: ['reporting'] });
