import { exampleTime } from '../core/example-values.js';
import { Example } from '../core/example.js';
import { EpochSeconds, Flag, Identity, Int, Nested, OneOf, Pattern, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { InteractionOffer } from './grant.js';
import { LinkParams } from './link.js';

/** Errors of every operation of link pages, in the order of their checks: the first that applies is returned. */
export const admissionErrors = [
  'LINK_NOT_FOUND',
  'LINK_REVOKED',
  'LINK_CONSUMED',
  'LINK_EXPIRED',
  'LINK_ADDRESS_REFUSED',
] as const;

/** Body of `openLink`. */
@Example({ confirmed: true })
export class LinkOpening {
  @Flag({
    optional: true,
    description: 'Only describe the content. The checks are those of an opening, but nothing is consumed.',
  })
  describe = false;

  @Flag({
    optional: true,
    description: 'Whether the visitor has confirmed the opening, where the account requires it.',
  })
  confirmed = false;

  @Flag({
    optional: true,
    description:
      'For a file: issue a download URL that can be used until `expires_at`, so that a broken download can be resumed.',
  })
  resume?: boolean;

  @Text({
    max: 128,
    optional: true,
    description: 'From verify/confirm. It is valid for 10 minutes and for this link only.',
  })
  verification_token?: string;
}

const openingTypes = ['redirect', 'warning', 'content', 'file', 'confirm'] as const;
type OpeningType = (typeof openingTypes)[number];

/** Reasons of a warning. `unchecked`: the safety check did not answer. */
const warningReasons = [
  'malware',
  'social_engineering',
  'unwanted_software',
  'private_address',
  'listed',
  'unchecked',
] as const;
export type WarningReason = (typeof warningReasons)[number];

/**
 * The content of a link. `redirect`: open `url`. `warning`: the same, but `url` is unsafe or could not be checked.
 * `content`: a Spark. `file`: an ingot. `confirm`: nothing was opened; repeat the request with `confirmed`. The code of a
 * durable share on the link domain: `redirect` to its address on the files domain, also as its description (OPEN-22).
 * A description has only `type`, `once`, `shared_by` where the account allows it and, for a file, `name` and `size_bytes`.
 */
@Example({
  type: 'content',
  payload: 'correct horse battery staple',
  content_type: 'text/plain',
  filename: null,
})
export class LinkContent {
  @OneOf(openingTypes) type: OpeningType;
  @Text({ max: 256_000, optional: true }) url?: string;
  @OneOf(warningReasons, { optional: true, description: 'The reason of the warning.' })
  reason?: WarningReason;
  @Text({
    max: 256_000,
    raw: true,
    optional: true,
    description: 'Text as it was created; base64 if the content is binary.',
  })
  payload?: string;
  @Text({ max: 255, optional: true }) content_type?: string;
  @Text({ max: 255, optional: true, nullable: true }) filename?: string | null;
  @Text({
    max: 2_048,
    optional: true,
    description: 'A download URL: single-use, or with `resume` usable until `expires_at`.',
  })
  download_url?: string;
  @Text({ max: 255, optional: true }) name?: string;
  @Int({ min: 1, optional: true }) size_bytes?: number;
  @EpochSeconds({
    optional: true,
    nullable: true,
    description:
      'When the file of an opened link was last modified where it came from, in epoch seconds. null: unknown.',
  })
  modified_at?: number | null;
  @EpochSeconds({
    optional: true,
    description: 'With `resume` only: the end of the URL. Without it the URL is for a single use.',
  })
  expires_at?: number;
  @Text({ max: 64, optional: true, description: 'With `resume` only: the version that the URL is bound to.' })
  version_id?: string;
  @Pattern(/^[0-9a-f]{64}$/, {
    says: '64 lowercase hexadecimal digits',
    optional: true,
    nullable: true,
    description:
      'With `resume` only: the SHA-256 over the SHA-256s of the chunks of 52,428,800 bytes; of a file of one chunk its SHA-256. null: unknown.',
  })
  content_hash?: string | null;
  @Flag({
    optional: true,
    description:
      'Descriptions only: true if the link opens once, false if it opens as often as its visitors like.',
  })
  once?: boolean;
  @Text({
    max: 255,
    optional: true,
    description:
      'Descriptions only, with the setting `links_show_organization`: the organization, by the name that it gave itself.',
  })
  shared_by?: string;
  @Nested(() => InteractionOffer, { optional: true, description: 'Links of notifications only.' })
  interaction?: InteractionOffer;
}

/**
 * Opens a link and consumes it if it is one-time (OPEN-22, OPEN-23). A visitor who must verify an identity first gets 401
 * with `details.verification.methods`. Every refusal of an ended link has `details.state`. The links of a notification have
 * a policy: LINK_VERIFICATION_STALE when the verification is too old, LINK_SECOND_PERSON_REQUIRED until another recipient has
 * verified too; its `details.code` is its name, because LINK_BEING_OPENED is 409 too. A refusal burns nothing.
 */
export const openLink = operation({
  name: 'sparks.open-link',
  summary: 'Opens a SparkLink: its Spark is burned, a one-time link is consumed, a durable link stays valid.',
  http: {
    method: 'POST',
    path: '/{link_code}/burn',
    aliases: ['/{link_code}/open'],
    surface: 'links',
    status: 200,
  },
  access: { credential: 'optional' },
  shardBy: 'link_code',
  params: LinkParams,
  unknown: 'LINK_NOT_FOUND',
  body: LinkOpening,
  bodyBytesMax: 4_096,
  reply: LinkContent,
  bare: true,
  errors: [
    ...admissionErrors,
    'LINK_SUSPENDED',
    'LINK_BEING_OPENED',
    'LINK_VERIFICATION_REQUIRED',
    'LINK_VERIFICATION_STALE',
    'LINK_SECOND_PERSON_REQUIRED',
  ],
});

/** Body of `startVerification`. */
export class VerificationStart {
  @Identity({ description: 'The identity that receives the code.' }) identity: string;
}

/** A verification code was requested. */
@Example({ expires_at: exampleTime(600) })
export class VerificationStarted {
  @Flag() sent: true;
  @EpochSeconds({ description: 'When the code expires.' }) expires_at: number;
}

/**
 * Sends a code. The reply does not reveal whether the identity is invited (OPEN-25). At most 5 an hour and 20 a day for each
 * identity, and from each address to a link that any identity may open.
 */
export const startVerification = operation({
  name: 'sparks.start-verification',
  summary: 'Sends a one-time code to an identity that may open the link.',
  http: { method: 'POST', path: '/{link_code}/verify/start', surface: 'links', status: 200 },
  access: { credential: 'none' },
  shardBy: 'link_code',
  params: LinkParams,
  unknown: 'LINK_NOT_FOUND',
  body: VerificationStart,
  bodyBytesMax: 4_096,
  reply: VerificationStarted,
  bare: true,
  errors: [...admissionErrors, 'LINK_CODES_EXHAUSTED', 'MESSAGES_EXHAUSTED'],
});

/** Body of `confirmVerification`. */
export class VerificationAnswer {
  @Identity() identity: string;
  @Pattern(/^\d{6}$/, { max: 6, says: '6 digits', description: 'The code as it was sent.' }) code: string;
}

/** A verified identity. */
@Example({ expires_at: exampleTime(600) })
export class Verified {
  @Text({ max: 128, description: 'For the body of the request that opens the link.' })
  verification_token: string;
  @EpochSeconds() expires_at: number;
}

/**
 * Verifies a code. A wrong, used or expired code is 401; each code allows 5 attempts, and 20 wrong codes within a day close
 * the link for the identity for a day (OPEN-25).
 */
export const confirmVerification = operation({
  name: 'sparks.confirm-verification',
  summary: 'Verifies the code and returns a token that opens the link for ten minutes.',
  http: { method: 'POST', path: '/{link_code}/verify/confirm', surface: 'links', status: 200 },
  access: { credential: 'none' },
  shardBy: 'link_code',
  params: LinkParams,
  unknown: 'LINK_NOT_FOUND',
  body: VerificationAnswer,
  bodyBytesMax: 4_096,
  reply: Verified,
  bare: true,
  errors: [...admissionErrors, 'LINK_CODE_WRONG'],
});
