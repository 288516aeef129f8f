import { EpochSeconds, Flag, IdentityList, IdOf, Int, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import {
  LinkCodeField,
  linkStatuses,
  LinkUrlField,
  SPARK_INVITES_MAX,
  visibilities,
  type LinkStatus,
  type Visibility,
} from './link.js';
import { SparkPath } from './read-spark.js';

export class SparkSharing {
  @OneOf(visibilities, { optional: true, description: 'Who may open the link.' })
  visibility: Visibility = 'public';

  @IdentityList({
    maxItems: SPARK_INVITES_MAX,
    optional: true,
    description: 'invite_only: who may open it. An invitation is sent to whoever was not invited before.',
  })
  invites: string[] = [];

  @Int({
    min: 60,
    optional: true,
    description: "Seconds, capped at the Spark's own expiry, which is the default. Of a first share only.",
  })
  expires_in_seconds?: number;
}

export class SharedSpark {
  @Flag() shared: true;
  @LinkUrlField() share_url: string;
  @LinkCodeField() link_code: string;
  @OneOf(visibilities) visibility: Visibility;
  @IdentityList({ maxItems: SPARK_INVITES_MAX }) invites: string[];
  @EpochSeconds() expires_at: number;
  @EpochSeconds() created_at: number;
  @Flag({ description: 'Whether the link was there before and was changed in place.' })
  already_shared: boolean;
}

/** One link for each Spark: shared again it keeps its code (SPK-45); a link Spark has it from the start (TRAP 9). */
export const shareSpark = operation({
  name: 'sparks.share',
  summary: 'Makes a link that opens a Spark once, or changes who may open it.',
  http: { method: 'PATCH', path: '/v1/sparks/{spark_id}/share', status: 200 },
  access: { credential: 'key' },
  params: SparkPath,
  unknown: 'SPARK_NOT_FOUND',
  body: SparkSharing,
  reply: SharedSpark,
  errors: ['SPARK_NOT_FOUND', 'SPARK_BURNED', 'SPARK_EXPIRED', 'SPARK_READ_IN_FLIGHT', 'MESSAGES_EXHAUSTED'],
});

/** Without a link only the first two are there (SPK-48). */
export class SparkShare {
  @Flag() shared: boolean;
  @IdOf('spk') spark_id: string;
  @LinkUrlField({ optional: true }) share_url?: string;
  @LinkCodeField({ optional: true }) link_code?: string;
  @OneOf(visibilities, { optional: true }) visibility?: Visibility;
  @IdentityList({ maxItems: SPARK_INVITES_MAX, optional: true }) invites?: string[];
  @OneOf(linkStatuses, { optional: true }) status?: LinkStatus;
  @EpochSeconds({ optional: true }) expires_at?: number;
  @EpochSeconds({ optional: true }) created_at?: number;
}

export const readShare = operation({
  name: 'sparks.read-share',
  summary: 'Tells whether and how a Spark is shared.',
  http: { method: 'GET', path: '/v1/sparks/{spark_id}/share', status: 200 },
  access: { credential: 'key' },
  params: SparkPath,
  unknown: 'SPARK_NOT_FOUND',
  reply: SparkShare,
  errors: ['SPARK_NOT_FOUND'],
  repeatable: true,
});

export class UnsharedSpark {
  @Flag() shared: false;
  @Text({ max: 200 }) message: string;
}

/** The Spark stays. Succeeds as well when it was not shared (SPK-49). */
export const unshareSpark = operation({
  name: 'sparks.unshare',
  summary: "Withdraws a Spark's link; the Spark is kept.",
  http: { method: 'DELETE', path: '/v1/sparks/{spark_id}/share', status: 200 },
  access: { credential: 'key' },
  params: SparkPath,
  unknown: 'SPARK_NOT_FOUND',
  reply: UnsharedSpark,
  errors: ['SPARK_NOT_FOUND'],
});
