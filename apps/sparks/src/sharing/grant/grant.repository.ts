import { Injectable } from '@nestjs/common';
import { AppError, pickActor } from '@vaultsvc/contracts';
import { sparkCreated, sparklinkCreated, type GrantMinting } from '@vaultsvc/contracts/sparks';
import { Database, epochSeconds, isUniqueViolation, namedStatement, statement } from '@vaultsvc/database';
import { CREATOR_COLUMNS, creatorOfActor } from '../../creators/creator-sql.js';
import { insertLinkEvents, LINK_EVENT_COLUMNS } from '../../link/link-events-sql.js';
import { insertPolicies } from '../../visit/admission/link-policy-sql.js';
import { CREATION_MEMBERS } from '../../spark/burning/spark-sql.js';
import type { SealedGrant, SealedSend } from './grant-sealer.js';

/** The values that the grants of a batch share. */
export interface GrantTerms extends Omit<GrantMinting, 'content' | 'grants'> {
  /** Of the content. */
  readonly sizeBytes: number;
}

/** Stores the grants of a send in one statement: their content, Sparks, links, invites, policies and events. */
@Injectable()
export class GrantRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns the expiry in epoch seconds. An id that exists already fails all of them; LINK_REVOKED when a grant was
   * recalled before.
   */
  async insert(sealed: SealedSend, terms: GrantTerms, requestId: string): Promise<number> {
    const { grants, ...content } = sealed;
    const values = insertGrants.valuesOf({ ...termsOf(terms), ...content, ...columnsOf(grants), requestId });
    const [stored] = await this.database
      .query<{ expires_at: number }>(insertGrants, values)
      .catch(async (error: unknown) => {
        throw await this.#conflictOf(error, grants);
      });
    return (stored as { expires_at: number }).expires_at;
  }

  async #conflictOf(error: unknown, grants: readonly SealedGrant[]): Promise<unknown> {
    if (!isUniqueViolation(error, 'link_policies_pkey')) return error;
    const recalled = await this.database.query(findRecalled, [grants.map(({ linkId }) => linkId)]);
    return recalled.length > 0 ? new AppError('LINK_REVOKED', undefined, { cause: error }) : error;
  }
}

function termsOf(terms: GrantTerms) {
  const { verification_level: level, interaction, reveal_freshness_minutes: freshness } = terms.policy;
  return {
    accountId: terms.account_id,
    ttlSeconds: terms.ttl_seconds,
    actor: JSON.stringify(pickActor(terms)),
    contentType: terms.content_type,
    filename: terms.filename,
    sizeBytes: terms.sizeBytes,
    visibility: level === 'none' ? 'public' : 'invite_only',
    groupId: terms.group_id,
    level,
    interaction,
    freshness,
  };
}

function columnsOf(grants: readonly SealedGrant[]) {
  return {
    linkIds: grants.map(({ linkId }) => linkId),
    sparkIds: grants.map(({ sparkId }) => sparkId),
    sparkKids: grants.map(({ spark }) => spark.kid),
    wrappedDeks: grants.map(({ spark }) => spark.wrappedDek),
    wrappedKeys: grants.map(({ spark }) => spark.ciphertext),
    codeHashes: grants.map(({ code }) => code.codeHash),
    linkKids: grants.map(({ code }) => code.kid),
    sealedCodes: grants.map(({ code }) => code.sealedCode),
    inviteIds: grants.map(({ invite }) => invite?.id ?? null),
    inviteKids: grants.map(({ invite }) => invite?.kid ?? null),
    sealedIdentities: grants.map(({ invite }) => invite?.sealed ?? null),
  };
}

type GrantsInsert = ReturnType<typeof termsOf> &
  ReturnType<typeof columnsOf> &
  Pick<SealedSend, 'contentId' | 'ciphertext'> & { readonly requestId: string };

/** The links are not managed: sharing a Spark does not change the terms of its grant. */
const insertGrants = namedStatement<GrantsInsert>(
  'sparks.insert-grants',
  (v) => `
   WITH grants AS (
     SELECT g.*, expiry
       FROM unnest(${v.linkIds}::uuid[], ${v.sparkIds}::text[], ${v.sparkKids}::text[], ${v.wrappedDeks}::bytea[],
                   ${v.wrappedKeys}::bytea[], ${v.codeHashes}::bytea[], ${v.linkKids}::text[], ${v.sealedCodes}::bytea[],
                   ${v.inviteIds}::text[], ${v.inviteKids}::text[], ${v.sealedIdentities}::bytea[])
            AS g (link_id, spark_id, spark_kid, wrapped_dek, wrapped_key, code_hash, link_kid, sealed_code, invite_id,
                  invite_kid, sealed_identity),
            (SELECT now() + make_interval(secs => ${v.ttlSeconds}::int) AS expiry) AS clock),
   policies AS (${insertPolicies('grants', {
     account: v.accountId,
     group: v.groupId,
     level: v.level,
     interaction: v.interaction,
     freshness: v.freshness,
   })}),
   content AS (
     INSERT INTO shared_contents (id, account_id, group_id, ciphertext, remaining, expires_at)
     SELECT ${v.contentId}, ${v.accountId}, ${v.groupId}, ${v.ciphertext}, count(*), max(expiry) FROM grants),
   created AS (
     INSERT INTO sparks (id, account_id, content_type, filename, ${CREATOR_COLUMNS}, size_bytes, ttl_minutes, expires_at, due_at, kid, wrapped_dek,
                         ciphertext, content_id)
     SELECT spark_id, ${v.accountId}, ${v.contentType}, ${v.filename}, ${creatorOfActor(v.actor)}, ${v.sizeBytes}, ceil(${v.ttlSeconds}::int / 60.0), expiry,
            expiry, spark_kid, wrapped_dek, wrapped_key, ${v.contentId}
       FROM grants
     RETURNING id, account_id, size_bytes, expires_at),
   linked AS (
     INSERT INTO sparklinks (id, code_hash, kid, sealed_code, asset_id, account_id, link_type, visibility, expires_at, is_managed, ${CREATOR_COLUMNS})
     SELECT link_id, code_hash, link_kid, sealed_code, spark_id, ${v.accountId}, 'spark', ${v.visibility}, expiry, false, ${creatorOfActor(v.actor)}
       FROM grants
     RETURNING ${LINK_EVENT_COLUMNS}),
   invited AS (
     INSERT INTO invites (id, link_id, kid, sealed_identity)
     SELECT invite_id, link_id, invite_kid, sealed_identity FROM grants WHERE invite_id IS NOT NULL),
   spark_event AS (
     INSERT INTO outbox (name, account_id, request_id, payload)
     SELECT '${sparkCreated.name}', account_id, ${v.requestId}, ${v.actor}::jsonb || jsonb_build_object(${CREATION_MEMBERS})
       FROM created),
   link_event AS (${insertLinkEvents(sparklinkCreated, 'linked', v.requestId, v.actor)})
   SELECT ${epochSeconds('min(expires_at)', 'expires_at')} FROM created`,
);

const findRecalled = statement(
  'sparks.find-recalled-grants',
  `SELECT 1 FROM link_policies WHERE link_id = ANY($1::uuid[]) AND recalled_at IS NOT NULL LIMIT 1`,
);
