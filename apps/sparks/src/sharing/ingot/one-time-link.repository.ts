import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { sparklinkCreated, type IngotGrant, type OneTimeLink } from '@vaultsvc/contracts/sparks';
import { Database, epochSeconds, isUniqueViolation, namedStatement, statement } from '@vaultsvc/database';
import { CREATOR_COLUMNS, creatorOfActor } from '../../creators/creator-sql.js';
import { insertPolicies } from '../../visit/admission/link-policy-sql.js';
import type { NewInvite } from '../../link/invite.repository.js';
import type { MintedLink } from '../../link/link-sealer.js';
import { causeOfAction, insertLinkEvents, LINK_EVENT_COLUMNS } from '../../link/link-events-sql.js';

/** The terms of a grant, with its sealed invite; null for level none. */
export interface SealedIngotGrant extends IngotGrant {
  readonly invite: NewInvite | null;
}

/** Stores one-time links of ingots, any number beside the durable link (AMB-09). */
@Injectable()
export class OneTimeLinkRepository {
  constructor(private readonly database: Database) {}

  /** Idempotent. Returns the time of the first call in epoch seconds, even when the link has ended since. */
  async add(link: OneTimeLink, minted: MintedLink, requestId: string): Promise<number> {
    const values = insertLink.valuesOf(linkInsertOf(link, minted, requestId));
    const created = await this.database.query<Creation>(insertLink, values);
    return this.#timeOf(created, link, minted);
  }

  /** As `add`. LINK_REVOKED when the grant was recalled before: its policy has a row already. */
  async addGrant(
    link: OneTimeLink,
    { group_id, policy, invite }: SealedIngotGrant,
    minted: MintedLink,
    requestId: string,
  ): Promise<number> {
    const values = insertGrant.valuesOf({
      ...linkInsertOf(link, minted, requestId),
      groupId: group_id,
      level: policy.verification_level,
      interaction: policy.interaction,
      freshness: policy.reveal_freshness_minutes,
      inviteId: invite?.id ?? null,
      inviteKid: invite?.kid ?? null,
      sealedIdentity: invite?.sealed ?? null,
    });
    const created = await this.database.query<Creation>(insertGrant, values).catch((error: unknown) => {
      if (!isUniqueViolation(error, 'link_policies_pkey')) throw error;
      throw new AppError('LINK_REVOKED', undefined, { cause: error });
    });
    return this.#timeOf(created, link, minted);
  }

  async #timeOf(
    [created]: readonly Creation[],
    link: OneTimeLink,
    { codeHash }: MintedLink,
  ): Promise<number> {
    if (created) return created.created_at;
    const key = [link.link_id, link.account_id, codeHash];
    const [row] = await this.database.query<Creation>(findCreation, key);
    if (!row) throw new Error('another link has this id');
    return row.created_at;
  }
}

function linkInsertOf(link: OneTimeLink, { codeHash, kid, sealedCode }: MintedLink, requestId: string) {
  return {
    linkId: link.link_id,
    accountId: link.account_id,
    vaultId: link.vault_id,
    ingotId: link.ingot_id,
    expiresAt: link.expires_at,
    codeHash,
    kid,
    sealedCode,
    requestId,
    actor: JSON.stringify(causeOfAction(link, requestId).actor),
  };
}

type LinkInsert = ReturnType<typeof linkInsertOf>;

interface GrantInsert extends LinkInsert {
  readonly groupId: string;
  readonly level: string;
  readonly interaction: string;
  readonly freshness: number | null;
  /** null, as the two below, for level none. */
  readonly inviteId: string | null;
  readonly inviteKid: string | null;
  readonly sealedIdentity: Buffer | null;
}

interface Creation {
  readonly created_at: number;
}

const CREATED_AT = `${epochSeconds('created_at')}`;

// On a conflict of any index: a concurrent repetition has the same id and the same code.
const insertBy = (v: Readonly<Record<keyof LinkInsert, string>>, visibility: string, more = '') => `
  WITH created AS (
     INSERT INTO sparklinks (id, account_id, vault_id, asset_id, expires_at, code_hash, kid, sealed_code, link_type, visibility, is_managed,
                             ${CREATOR_COLUMNS})
     VALUES (${v.linkId}, ${v.accountId}, ${v.vaultId}, ${v.ingotId}, to_timestamp(${v.expiresAt}::bigint), ${v.codeHash}, ${v.kid},
             ${v.sealedCode}, 'ingot', ${visibility}, false, ${creatorOfActor(v.actor)})
     ON CONFLICT DO NOTHING
     RETURNING ${LINK_EVENT_COLUMNS}, created_at, id AS link_id, code_hash, expires_at AS expiry),${more}
   event AS (${insertLinkEvents(sparklinkCreated, 'created', v.requestId, v.actor)})
   SELECT ${CREATED_AT} FROM created`;

const insertLink = namedStatement<LinkInsert>('sparks.insert-one-time-link', (v) => insertBy(v, `'public'`));

const insertGrant = namedStatement<GrantInsert>('sparks.insert-ingot-grant', (v) => {
  const { level, interaction } = v;
  const terms = {
    account: v.accountId,
    group: v.groupId,
    level,
    interaction,
    freshness: `${v.freshness}::int`,
  };
  return insertBy(
    v,
    `CASE WHEN ${level}::text = 'none' THEN 'public' ELSE 'invite_only' END`,
    `
   policies AS (${insertPolicies('created', terms)}),
   invited AS (
     INSERT INTO invites (id, link_id, kid, sealed_identity)
     SELECT ${v.inviteId}, link_id, ${v.inviteKid}, ${v.sealedIdentity}::bytea FROM created WHERE ${v.inviteId}::text IS NOT NULL),`,
  );
});

const findCreation = statement(
  'sparks.find-creation-of-link',
  `SELECT ${CREATED_AT}
     FROM sparklinks WHERE id = $1 AND account_id = $2 AND code_hash = $3`,
);
