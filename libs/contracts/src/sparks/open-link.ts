import { EpochSeconds, Flag, Identity, Int, OneOf, Pattern, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { LinkParams } from './link.js';

/** What every visitor may meet first, in the order in which it is looked for: the first that applies is told. */
const refusedAtTheGate = [
  'LINK_NOT_FOUND',
  'LINK_REVOKED',
  'LINK_CONSUMED',
  'LINK_EXPIRED',
  'LINK_ADDRESS_REFUSED',
] as const;

export class LinkOpening {
  @Flag({
    optional: true,
    description: 'Only say what is behind the link. Verified as an opening is; nothing is consumed.',
  })
  describe = false;

  @Flag({ optional: true, description: 'The visitor has clicked, where the account asks for a click.' })
  confirmed = false;

  @Text({ max: 128, optional: true, description: 'From verify/confirm; 10 minutes, for this link.' })
  verification_token?: string;
}

const openingTypes = ['redirect', 'warning', 'content', 'file', 'confirm'] as const;
type OpeningType = (typeof openingTypes)[number];

/** `unchecked`: the safety check had no answer. */
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
 * What is behind a link. `redirect`: go to `url`; `warning`: the same, and it is not safe, or nobody could say so;
 * `content`: a Spark; `file`: an ingot; `confirm`: nothing was opened, post again with `confirmed`.
 * Of a description there are only `type` and, of a file, `name` and `size_bytes`.
 */
export class LinkContent {
  @OneOf(openingTypes) type: OpeningType;
  @Text({ max: 2_048, optional: true }) url?: string;
  @OneOf(warningReasons, { optional: true, description: 'Why there is a warning.' })
  reason?: WarningReason;
  @Text({ max: 256_000, raw: true, optional: true, description: 'Text as it is; base64 where it is binary.' })
  payload?: string;
  @Text({ max: 255, optional: true }) content_type?: string;
  @Text({ max: 255, optional: true, nullable: true }) filename?: string | null;
  @Text({ max: 2_048, optional: true, description: 'Gives the file once.' }) download_url?: string;
  @Text({ max: 255, optional: true }) name?: string;
  @Int({ min: 1, optional: true }) size_bytes?: number;
}

/**
 * Opens a link, and with it consumes what may be opened once (OPEN-22, OPEN-23). Whoever is to be verified first gets
 * 401 with `details.verification.methods`; every refusal of a link that is over has `details.state`.
 */
export const openLink = operation({
  name: 'sparks.open-link',
  summary: 'Opens a SparkLink: its Spark is burned, its one-time link is spent, a durable share goes on.',
  http: {
    method: 'POST',
    path: '/{link_code}/burn',
    aliases: ['/{link_code}/open'],
    surface: 'links',
    status: 200,
  },
  access: { credential: 'optional' },
  params: LinkParams,
  unknown: 'LINK_NOT_FOUND',
  body: LinkOpening,
  bodyBytesMax: 4_096,
  reply: LinkContent,
  bare: true,
  errors: [...refusedAtTheGate, 'LINK_SUSPENDED', 'LINK_BEING_OPENED', 'LINK_VERIFICATION_REQUIRED'],
});

export class VerificationStart {
  @Identity({ description: 'Where the code is sent.' }) identity: string;
}

export class VerificationStarted {
  @Flag() sent: true;
  @EpochSeconds({ description: 'Until when the code is good.' }) expires_at: number;
}

/** Answers alike whether the identity is invited or not (OPEN-25). 5 in an hour for each link. */
export const startVerification = operation({
  name: 'sparks.start-verification',
  summary: 'Sends a one-time code to an identity that may open the link.',
  http: { method: 'POST', path: '/{link_code}/verify/start', surface: 'links', status: 200 },
  access: { credential: 'none' },
  params: LinkParams,
  unknown: 'LINK_NOT_FOUND',
  body: VerificationStart,
  bodyBytesMax: 4_096,
  reply: VerificationStarted,
  bare: true,
  errors: [...refusedAtTheGate, 'LINK_CODES_EXHAUSTED', 'MESSAGES_EXHAUSTED'],
});

export class VerificationAnswer {
  @Identity() identity: string;
  @Pattern(/^\d{6}$/, { max: 6, says: '6 digits', description: 'The code as it was sent.' }) code: string;
}

export class Verified {
  @Text({ max: 128, description: 'Goes into the body that opens the link.' }) verification_token: string;
  @EpochSeconds() expires_at: number;
}

/** A wrong, spent or expired code is 401; 5 tries for each code (OPEN-25). */
export const confirmVerification = operation({
  name: 'sparks.confirm-verification',
  summary: 'Takes the code, and gives a token that opens the link for ten minutes.',
  http: { method: 'POST', path: '/{link_code}/verify/confirm', surface: 'links', status: 200 },
  access: { credential: 'none' },
  params: LinkParams,
  unknown: 'LINK_NOT_FOUND',
  body: VerificationAnswer,
  bodyBytesMax: 4_096,
  reply: Verified,
  bare: true,
  errors: [...refusedAtTheGate, 'LINK_CODE_WRONG'],
});
