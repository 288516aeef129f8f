import { EXAMPLE_LINK_CODE, EXAMPLE_LINK_URL, exampleTime } from '../core/example-values.js';
import { Example } from '../core/example.js';
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
import { SparkParams } from './spark.js';

/** The link of a Spark. Without a link only the first two fields are present (SPK-48). */
@Example({
  link_url: EXAMPLE_LINK_URL,
  share_url: EXAMPLE_LINK_URL,
  link_code: EXAMPLE_LINK_CODE,
  visibility: 'public',
  invites: [],
  status: 'active',
  expires_at: exampleTime(86_400),
  created_at: exampleTime(),
})
export class SparkShare {
  @Flag() shared: boolean;
  @IdOf('spk') spark_id: string;
  @LinkUrlField({ optional: true }) link_url?: string;
  @LinkUrlField({ optional: true, olderNameOf: 'link_url' }) share_url?: string;
  @LinkCodeField({ optional: true }) link_code?: string;
  @OneOf(visibilities, { optional: true }) visibility?: Visibility;
  @IdentityList({ maxItems: SPARK_INVITES_MAX, optional: true }) invites?: string[];
  @OneOf(linkStatuses, { optional: true }) status?: LinkStatus;
  @EpochSeconds({ optional: true }) expires_at?: number;
  @EpochSeconds({ optional: true }) created_at?: number;
}

/** Reads the link of a Spark. */
export const readShare = operation({
  name: 'sparks.read-share',
  summary: 'Reads whether and how a Spark is shared.',
  http: { method: 'GET', path: '/v1/sparks/{spark_id}/share', status: 200 },
  access: { credential: 'key' },
  shardBy: 'spark_id',
  params: SparkParams,
  unknown: 'SPARK_NOT_FOUND',
  reply: SparkShare,
  errors: ['SPARK_NOT_FOUND'],
  repeatable: true,
});

/** Body of `shareSpark`. */
@Example({ visibility: 'public' })
export class SparkSharing {
  @OneOf(visibilities, { optional: true, description: 'Who may open the link.' })
  visibility: Visibility = 'public';

  @IdentityList({
    maxItems: SPARK_INVITES_MAX,
    optional: true,
    description:
      'Visibility invite_only: the identity that may open the link. A new one receives an invitation.',
  })
  invites: string[] = [];

  @Int({
    min: 60,
    optional: true,
    description:
      'Lifetime of the link in seconds, for a first share. The expiry of the Spark is its maximum and default.',
  })
  expires_in_seconds?: number;
}

/** A shared Spark. */
@Example({ invites: [], already_shared: false })
export class SharedSpark {
  @Flag() shared: true;
  @LinkUrlField() link_url: string;
  @LinkUrlField({ olderNameOf: 'link_url' }) share_url: string;
  @LinkCodeField() link_code: string;
  @OneOf(visibilities) visibility: Visibility;
  @IdentityList({ maxItems: SPARK_INVITES_MAX }) invites: string[];
  @EpochSeconds() expires_at: number;
  @EpochSeconds() created_at: number;
  @Flag({ description: 'Whether an existing link was changed.' })
  already_shared: boolean;
}

/** Creates or changes the one link of a Spark. Its code never changes (SPK-45); a link Spark is created with it. */
export const shareSpark = operation({
  name: 'sparks.share',
  summary: 'Creates a link that opens a Spark once, or changes who may open it.',
  http: { method: 'PATCH', path: '/v1/sparks/{spark_id}/share', status: 200 },
  access: { credential: 'key' },
  shardBy: 'spark_id',
  params: SparkParams,
  unknown: 'SPARK_NOT_FOUND',
  body: SparkSharing,
  reply: SharedSpark,
  errors: ['SPARK_NOT_FOUND', 'SPARK_BURNED', 'SPARK_EXPIRED', 'SPARK_READ_IN_FLIGHT', 'MESSAGES_EXHAUSTED'],
});

/** A Spark without a link. */
@Example({ shared: false, message: 'This Spark is not shared. The Spark itself is kept.' })
export class UnsharedSpark {
  @Flag() shared: false;
  @Text({ max: 200 }) message: string;
}

/** Revokes the link and keeps the Spark. Idempotent (SPK-49). */
export const unshareSpark = operation({
  name: 'sparks.unshare',
  summary: 'Revokes the link of a Spark; the Spark is kept.',
  http: { method: 'DELETE', path: '/v1/sparks/{spark_id}/share', status: 200 },
  access: { credential: 'key' },
  shardBy: 'spark_id',
  params: SparkParams,
  unknown: 'SPARK_NOT_FOUND',
  reply: UnsharedSpark,
  errors: ['SPARK_NOT_FOUND'],
});

/** An invitation that was sent again. */
export class ResentSparkInvitation {
  @IdOf('spk') spark_id: string;
  @Flag({ description: 'Always true.' }) resent: true;
  @EpochSeconds() sent_at: number;
}

/** Sends the invitation to the link of a Spark again; its invitee can request and enter codes again (SPK-54). */
export const resendSparkInvitation = operation({
  name: 'sparks.resend-invitation',
  summary:
    'Sends the invitation to the link of a Spark again. The invited identity can then request and enter codes again.',
  http: { method: 'POST', path: '/v1/sparks/{spark_id}/share/resend', status: 200 },
  access: { credential: 'key' },
  shardBy: 'spark_id',
  params: SparkParams,
  unknown: 'SPARK_NOT_FOUND',
  reply: ResentSparkInvitation,
  errors: [
    'SPARK_NOT_FOUND',
    'SPARK_BURNED',
    'SPARK_EXPIRED',
    'SPARK_READ_IN_FLIGHT',
    'INVITE_NOT_FOUND',
    'MESSAGES_EXHAUSTED',
  ],
});
