import { Injectable } from '@nestjs/common';
import { AppError, pickActor } from '@vaultsvc/contracts';
import { sparkCreated, sparklinkCreated, type GrantMinting } from '@vaultsvc/contracts/sparks';
import { Database, epochSeconds, isUniqueViolation, statement } from '@vaultsvc/database';
import { insertLinkEvents, LINK_EVENT_COLUMNS } from '../../link/link-events-sql.js';
import { insertPolicies } from '../../visit/admission/link-policy-sql.js';
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
    const { contentId, ciphertext, grants } = sealed;
    const values = [...termsOf(terms, requestId), contentId, ciphertext, ...columnsOf(grants)];
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

function termsOf(terms: GrantTerms, requestId: string): unknown[] {
  const { account_id, ttl_seconds, content_type, filename, sizeBytes, policy } = terms;
  const { verification_level, interaction, reveal_freshness_minutes } = policy;
  const visibility = verification_level === 'none' ? 'public' : 'invite_only';
  const spark = [account_id, ttl_seconds, requestId, JSON.stringify(pickActor(terms))];
  const content = [content_type, filename, sizeBytes, visibility];
  return [...spark, ...content, terms.group_id, verification_level, interaction, reveal_freshness_minutes];
}

function columnsOf(grants: readonly SealedGrant[]): unknown[] {
  return [
    grants.map(({ linkId }) => linkId),
    grants.map(({ sparkId }) => sparkId),
    grants.map(({ spark }) => spark.kid),
    grants.map(({ spark }) => spark.wrappedDek),
    grants.map(({ spark }) => spark.ciphertext),
    grants.map(({ code }) => code.codeHash),
    grants.map(({ code }) => code.kid),
    grants.map(({ code }) => code.sealedCode),
    grants.map(({ invite }) => invite?.id ?? null),
    grants.map(({ invite }) => invite?.kid ?? null),
    grants.map(({ invite }) => invite?.sealed ?? null),
  ];
}

/** The links are not managed: sharing a Spark does not change the terms of its grant. */
const insertGrants = statement(
  'sparks.insert-grants',
  `WITH grants AS (
     SELECT g.*, expiry
       FROM unnest($15::uuid[], $16::text[], $17::text[], $18::bytea[], $19::bytea[], $20::bytea[], $21::text[], $22::bytea[],
                   $23::text[], $24::text[], $25::bytea[])
            AS g (link_id, spark_id, spark_kid, wrapped_dek, wrapped_key, code_hash, link_kid, sealed_code, invite_id,
                  invite_kid, sealed_identity),
            (SELECT now() + make_interval(secs => $2::int) AS expiry) AS clock),
   policies AS (${insertPolicies('grants', { account: '$1', group: '$9', level: '$10', interaction: '$11', freshness: '$12' })}),
   content AS (
     INSERT INTO shared_contents (id, account_id, group_id, ciphertext, remaining, expires_at)
     SELECT $13, $1, $9, $14, count(*), max(expiry) FROM grants),
   created AS (
     INSERT INTO sparks (id, account_id, content_type, filename, size_bytes, ttl_minutes, expires_at, due_at, kid, wrapped_dek, ciphertext,
                         content_id)
     SELECT spark_id, $1, $5, $6, $7, ceil($2::int / 60.0), expiry, expiry, spark_kid, wrapped_dek, wrapped_key, $13
       FROM grants
     RETURNING id, size_bytes, expires_at),
   linked AS (
     INSERT INTO sparklinks (id, code_hash, kid, sealed_code, asset_id, account_id, link_type, visibility, expires_at, is_managed)
     SELECT link_id, code_hash, link_kid, sealed_code, spark_id, $1, 'spark', $8, expiry, false FROM grants
     RETURNING ${LINK_EVENT_COLUMNS}),
   invited AS (
     INSERT INTO invites (id, link_id, kid, sealed_identity)
     SELECT invite_id, link_id, invite_kid, sealed_identity FROM grants WHERE invite_id IS NOT NULL),
   spark_event AS (
     INSERT INTO outbox (name, account_id, request_id, payload)
     SELECT '${sparkCreated.name}', $1, $3,
            $4::jsonb || jsonb_build_object('spark_id', id, 'account_id', $1::text, 'size_bytes', size_bytes)
       FROM created),
   link_event AS (${insertLinkEvents(sparklinkCreated, 'linked', '$3', '$4')})
   SELECT ${epochSeconds('min(expires_at)', 'expires_at')} FROM created`,
);

const findRecalled = statement(
  'sparks.find-recalled-grants',
  `SELECT 1 FROM link_policies WHERE link_id = ANY($1::uuid[]) AND recalled_at IS NOT NULL LIMIT 1`,
);
