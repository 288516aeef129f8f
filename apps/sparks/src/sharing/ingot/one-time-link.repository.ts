import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { sparklinkCreated, type IngotGrant, type OneTimeLink } from '@vaultsvc/contracts/sparks';
import { Database, epochSeconds, isUniqueViolation, statement } from '@vaultsvc/database';
import { insertPolicies } from '../../visit/admission/link-policy-sql.js';
import type { NewInvite } from '../../link/invite.repository.js';
import type { MintedLink } from '../../link/link-sealer.js';
import {
  insertLinkEvents,
  LINK_EVENT_COLUMNS,
  linkEventValues,
  causeOfAction,
} from '../../link/link-events-sql.js';

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
    const values = valuesOf(link, minted, requestId);
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
    const { verification_level: level, interaction, reveal_freshness_minutes: freshness } = policy;
    const terms = [group_id, level, interaction, freshness];
    const sealed = [invite?.id ?? null, invite?.kid ?? null, invite?.sealed ?? null];
    const values = [...valuesOf(link, minted, requestId), ...terms, ...sealed];
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

function valuesOf(
  link: OneTimeLink,
  { codeHash, kid, sealedCode }: MintedLink,
  requestId: string,
): unknown[] {
  const ids = [link.link_id, link.account_id, link.vault_id, link.ingot_id, link.expires_at];
  return [...ids, codeHash, kid, sealedCode, ...linkEventValues(causeOfAction(link, requestId))];
}

interface Creation {
  readonly created_at: number;
}

const CREATED_AT = `${epochSeconds('created_at')}`;

// On a conflict of any index: a concurrent repetition has the same id and the same code.
const insertBy = (visibility: string, more = '') => `
  WITH created AS (
     INSERT INTO sparklinks (id, account_id, vault_id, asset_id, expires_at, code_hash, kid, sealed_code, link_type, visibility, is_managed)
     VALUES ($1, $2, $3, $4, to_timestamp($5::bigint), $6, $7, $8, 'ingot', ${visibility}, false)
     ON CONFLICT DO NOTHING
     RETURNING ${LINK_EVENT_COLUMNS}, created_at, id AS link_id, code_hash, expires_at AS expiry),${more}
   event AS (${insertLinkEvents(sparklinkCreated, 'created', '$9', '$10')})
   SELECT ${CREATED_AT} FROM created`;

const insertLink = statement('sparks.insert-one-time-link', insertBy(`'public'`));

const TERMS = { account: '$2', group: '$11', level: '$12', interaction: '$13', freshness: '$14::int' };

const insertGrant = statement(
  'sparks.insert-ingot-grant',
  insertBy(
    `CASE WHEN $12::text = 'none' THEN 'public' ELSE 'invite_only' END`,
    `
   policies AS (${insertPolicies('created', TERMS)}),
   invited AS (
     INSERT INTO invites (id, link_id, kid, sealed_identity)
     SELECT $15, link_id, $16, $17::bytea FROM created WHERE $15::text IS NOT NULL),`,
  ),
);

const findCreation = statement(
  'sparks.find-creation-of-link',
  `SELECT ${CREATED_AT}
     FROM sparklinks WHERE id = $1 AND account_id = $2 AND code_hash = $3`,
);
