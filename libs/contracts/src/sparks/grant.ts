import { event } from '../core/event.js';
import {
  EpochSeconds,
  Flag,
  Identity,
  IdOf,
  Int,
  ListOf,
  Nested,
  OneOf,
  Text,
  TextList,
} from '../core/fields.js';
import { operation } from '../core/operation.js';
import { LinkUrlField } from './link.js';
import { SparkOwner } from './spark.js';

/**
 * The proof that a recipient gives before the content is revealed. `none`: the link. `identifier`: a code sent to the
 * addressed identity, or a session of it. `passkey`: a WebAuthn passkey of that identity. `out_of_band`: a code sent by
 * another channel than the link. `dual_control`: as `identifier`, by a second recipient of the same send too (OPEN-64).
 */
export const verificationLevels = ['none', 'identifier', 'passkey', 'out_of_band', 'dual_control'] as const;
export type VerificationLevel = (typeof verificationLevels)[number];

/** The action that a sender asks for (NTF-09). `approve` also allows the recipient to deny. */
export const interactions = ['view', 'acknowledge', 'sign', 'approve', 'reply'] as const;
export type Interaction = (typeof interactions)[number];

/** The action of a recipient. */
export const interactionActions = ['view', 'acknowledge', 'sign', 'approve', 'deny', 'reply'] as const;
export type InteractionAction = (typeof interactionActions)[number];

/** The actions that a policy allows. A view is recorded by the reveal itself. */
export const actionsOf: Readonly<Record<Interaction, readonly InteractionAction[]>> = {
  view: ['view'],
  acknowledge: ['view', 'acknowledge'],
  sign: ['view', 'sign', 'deny'],
  approve: ['view', 'approve', 'deny'],
  reply: ['view', 'reply'],
};

/** The greatest integer of a column: some 4,000 years. The text sets no bound (NTF-11). */
export const FRESHNESS_MINUTES_MAX = 2_147_483_647;

/** The terms under which a grant opens. */
export class GrantPolicy {
  @OneOf(verificationLevels) verification_level: VerificationLevel;
  @OneOf(interactions) interaction: Interaction;
  @Int({
    min: 1,
    max: FRESHNESS_MINUTES_MAX,
    nullable: true,
    description: 'The greatest age of the verification at the reveal.',
  })
  reveal_freshness_minutes: number | null;
}

/** One grant to mint: a Spark behind a single-use link. */
export class NewGrant {
  @Text({ min: 36, max: 36, description: 'A UUID, chosen by the caller.' }) link_id: string;
  @IdOf('spk') spark_id: string;
  @Identity({
    nullable: true,
    description: 'The identity that must be proved; null for grants that anyone with the link opens.',
  })
  identity: string | null;
}

/** Most grants of one `sealSend`: as many as a send has recipients (NTF-02). */
export const MINT_GRANTS_MAX = 500;

/** Body of `sealSend`: one content for all grants, whose key is sealed for each of them. */
export class GrantMinting extends SparkOwner {
  @Text({
    min: 36,
    max: 36,
    description: 'A UUID: the send. Dual control counts the recipients of one send.',
  })
  group_id: string;
  @Int({ min: 60, max: 86_400 }) ttl_seconds: number;
  @Text({ max: 255 }) content_type: string;
  @Text({ max: 255, nullable: true }) filename: string | null;
  @Text({ max: 350_000, description: 'The payload of a Spark, its UTF-8 in base64.' }) content: string;
  @Nested(() => GrantPolicy) policy: GrantPolicy;
  @ListOf(() => NewGrant, { max: MINT_GRANTS_MAX }) grants: NewGrant[];
}

/** The minted grants. */
export class MintedGrants {
  @EpochSeconds({ description: 'When the Sparks and links of the batch expire.' }) expires_at: number;
}

/**
 * Seals the content of a send once, and stores for each grant a Spark that holds the key of the content, behind a single-use
 * link; all or none, in one statement (NTF-06, NTF-28). Level `none` takes no identities, every other level one for each grant.
 * LINK_REVOKED if one of the grants was recalled before.
 */
export const sealSend = operation({
  name: 'sparks.seal-send',
  summary:
    'Seals a content once, and stores a Spark with its key behind a single-use link for each recipient.',
  access: 'internal',
  callers: ['notify'],
  body: GrantMinting,
  reply: MintedGrants,
  errors: ['LINK_REVOKED'],
});

/** Body of `resolveGrants`. */
export class GrantIds {
  @IdOf('acc') account_id: string;
  @TextList({ maxItems: 500, max: 36 }) link_ids: string[];
}

/** A grant as it is now (NTF-28). */
export class ResolvedGrant {
  @Text({ max: 36 }) link_id: string;
  @OneOf(['active', 'consumed', 'revoked', 'expired']) status: 'active' | 'consumed' | 'revoked' | 'expired';
  @LinkUrlField({ nullable: true }) link_url: string | null;
  @EpochSeconds() expires_at: number;
}

/** The grants of the account among those asked for, in any order. */
export class ResolvedGrants {
  @ListOf(() => ResolvedGrant, { max: 500 }) grants: ResolvedGrant[];
}

/** Reads states and URLs of grants; `link_url` is of active grants only. Unknown and foreign ids are omitted. */
export const resolveGrants = operation({
  name: 'sparks.resolve-grants',
  summary: 'Reads the states and URLs of grants of an account.',
  access: 'internal',
  callers: ['notify'],
  body: GrantIds,
  reply: ResolvedGrants,
  repeatable: true,
});

/** Body of `redeemInteraction`. */
export class InteractionToken {
  @Text({ max: 512, raw: true }) link_code: string;
  @Text({ max: 128, raw: true }) interaction_token: string;
}

/** The version of an ingot that a reveal showed. */
export class RevealedVersion {
  @IdOf('vlt') vault_id: string;
  @IdOf('ing') ingot_id: string;
  @Text({ max: 64 }) version_id: string;
  @Int({ min: 1 }) size_bytes: number;
  @Text({
    max: 64,
    optional: true,
    nullable: true,
    description:
      'The hash of the content. null or absent: of a version from before hashes, or of a reveal from before.',
  })
  content_hash?: string | null;
}

/** The reveal that an interaction token stands for. */
export class RevealedGrant {
  @IdOf('acc') account_id: string;
  @Text({ max: 36 }) link_id: string;
  @Text({ max: 254, nullable: true, description: 'The proved identity.' }) verified_by: string | null;
  @OneOf(verificationLevels) verification_level: VerificationLevel;
  @Text({ max: 64, description: 'SHA-256 of the content, in hexadecimal.' }) action_hash: string;
  @EpochSeconds() revealed_at: number;
  @Nested(() => RevealedVersion, { nullable: true, description: 'Of an ingot. null: a content.' })
  version: RevealedVersion | null;
}

/**
 * Verifies the token that a reveal returned. It is valid for 24 hours and may be redeemed again: notify decides which action
 * counts. LINK_NOT_FOUND for an unknown link, INTERACTION_TOKEN_INVALID for a wrong or expired token.
 */
export const redeemInteraction = operation({
  name: 'sparks.redeem-interaction',
  summary: 'Verifies an interaction token and returns the reveal that it stands for.',
  access: 'internal',
  shardBy: 'link_code',
  callers: ['notify'],
  body: InteractionToken,
  reply: RevealedGrant,
  errors: ['LINK_NOT_FOUND', 'INTERACTION_TOKEN_INVALID'],
  repeatable: true,
});

/** The part of an opened link's content that concerns its interaction (OPEN-64). */
export class InteractionOffer {
  @Text({ max: 128, description: 'For POST {link}/interact, within 24 hours.' }) interaction_token: string;
  @TextList({ maxItems: 6, max: 16, description: 'The actions that the sender allows.' }) actions: string[];
  @Text({
    max: 64,
    description:
      'SHA-256 of the content in hexadecimal; of a file that of vault_id/ingot_id/version_id/size_bytes. sign, approve and deny are bound to it.',
  })
  action_hash: string;
  @Flag({ description: 'Whether the sender asks for an action beyond the view.' }) is_requested: boolean;
  @EpochSeconds() expires_at: number;
}

/** Payload of `grantRevealed`. */
export class GrantReveal {
  @IdOf('acc') account_id: string;
  @Text({ max: 36 }) link_id: string;
  @Text({ max: 36 }) group_id: string;
  @OneOf(verificationLevels) verification_level: VerificationLevel;
  @Text({ max: 254, nullable: true }) verified_by: string | null;
  @EpochSeconds() revealed_at: number;
}

/** A grant was opened: notify records that its recipient has seen it, and ends the escalation (NTF-15). */
export const grantRevealed = event({
  name: 'sparks.grant-revealed',
  payload: GrantReveal,
  consumers: ['notify'],
});
