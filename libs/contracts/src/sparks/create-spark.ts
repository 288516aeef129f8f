import { EpochSeconds, Flag, IdOf, Int, Name, OneOf, Pattern, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { MEDIA_TYPE } from '../core/media-type.js';

/** Bytes that a Spark's payload may have: of its UTF-8, or of its base64 text where the content is binary (SPK-02). */
export const SPARK_PAYLOAD_BYTES_MAX = 256_000;

const MEBIBYTE = 1_048_576;

export class CreateSpark {
  // The limit in bytes is 413 and the service's own; this one can never be reached below the body's cap.
  @Text({
    max: 2 * MEBIBYTE,
    raw: true,
    description:
      'The secret: text as it is, binary content as base64, for text/uri-list one http or https URL. At most 256,000 bytes, else 413.',
  })
  payload: string;

  @Int({ min: 1, max: 1_440, optional: true, description: 'Minutes after which the Spark expires unread.' })
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
    description: 'Shown in lists, so it should tell nothing secret.',
  })
  filename: string | null = null;

  @Flag({ optional: true, description: 'Start a new group of Sparks.' })
  with_kindling = false;

  @IdOf('kdl', { optional: true, description: 'Join this group; wins over with_kindling.' })
  kindling?: string;

  @Text({
    max: 45,
    optional: true,
    description: 'Link Sparks only: the one IPv4 or IPv6 address that may open the link.',
  })
  bound_ip?: string;
}

export class SparkCreated {
  @IdOf('spk') spark_id: string;
  @Int({ min: 0, description: 'Size of the content, decoded where it is binary.' }) size_bytes: number;
  @OneOf(['active']) status: 'active';
  @EpochSeconds() created_at: number;
  @EpochSeconds() expires_at: number;
  @Int({ min: 1 }) ttl_minutes: number;
  @Text({ max: 255, optional: true }) filename?: string;
  @IdOf('kdl', { optional: true }) kindling?: string;
  @Text({ max: 2_048, optional: true, description: 'Link Sparks only.' }) link_url?: string;
  @Text({ max: 64, optional: true, description: 'Link Sparks only.' }) link_code?: string;
}

/**
 * Stores a secret that can be read once. Draws its size from storage until it is read or expires, and
 * from bandwidth at once (OPEN-58).
 */
export const createSpark = operation({
  name: 'sparks.create',
  summary: 'Creates a Spark: a secret that can be read once and expires after at most 24 hours.',
  http: { method: 'POST', path: '/v1/sparks', status: 201 },
  access: { credential: 'key' },
  billable: true,
  bodyBytesMax: 2 * MEBIBYTE,
  body: CreateSpark,
  reply: SparkCreated,
  errors: ['KINDLING_NOT_FOUND'],
});
