import { Injectable } from '@nestjs/common';
import { AppError, type Actor, type LinkDomain } from '@vaultsvc/contracts';
import type { LinkListQuery, LinkStatus, LinkType, Visibility } from '@vaultsvc/contracts/sparks';
import { Database, epochSeconds, type Page, readPosition, statement, toPage } from '@vaultsvc/database';
import { codeHashOf, type SealedCodeRow } from './link-sealer.js';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a text can be the id of a link. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** A link as its owner reads it; code and identities are sealed. */
export interface LinkRow {
  id: string;
  account_id: string;
  link_type: LinkType;
  asset_id: string;
  vault_id: string | null;
  domain: LinkDomain;
  is_managed: boolean;
  visibility: Visibility;
  /** Also `consumed` when its Spark was read over the API (AMB-48). */
  status: LinkStatus;
  is_expired: boolean;
  bound_ip: string | null;
  session_length: number | null;
  created_at: number;
  expires_at: number | null;
  kid: string;
  sealed_code: Buffer;
  verified_kid: string | null;
  verified_by: Buffer | null;
  verified_at: number | null;
  creator_id: string | null;
  creator: Actor | null;
  /** Of the Spark; null for links of ingots. */
  label: string | null;
  /** Changes with every change of visibility or invites: the condition of an optimistic update. */
  version: string;
  position: string;
}

/** Reads links of one account. */
@Injectable()
export class LinkRepository {
  constructor(private readonly database: Database) {}

  /** Newest first, revoked and consumed links included. */
  async list(accountId: string, { type, limit, cursor }: LinkListQuery): Promise<Page<LinkRow>> {
    const [createdAt = null, id = null] = readPosition(cursor, 2) ?? [];
    const values = [accountId, createdAt, id, type ?? null, limit + 1];
    const rows = await this.database.query<LinkRow>(selectLinks, values);
    return toPage(rows, limit, (row) => [row.position, row.id]);
  }

  /** Throws SPARKLINK_NOT_FOUND alike for a malformed code, an unknown one and one of another account (LNK-07). */
  async getByCode(code: string, accountId: string): Promise<LinkRow> {
    const codeHash = codeHashOf(code);
    const link = codeHash && (await this.#one(findByCode, [codeHash, accountId]));
    if (!link) throw new AppError('SPARKLINK_NOT_FOUND');
    return link;
  }

  findById(linkId: string, accountId: string): Promise<LinkRow | undefined> {
    return this.#one(findById, [linkId, accountId]);
  }

  /** The link that sharing this asset creates and changes, unless it was revoked. */
  findManaged(assetId: string, accountId: string): Promise<LinkRow | undefined> {
    return this.#one(findManaged, [assetId, accountId]);
  }

  /** The sealed codes of those of these links that belong to the account. A malformed id is unknown. */
  findCodes(linkIds: readonly string[], accountId: string): Promise<SealedCodeRow[]> {
    return this.database.query<SealedCodeRow>(findCodes, [linkIds.filter(isUuid), accountId]);
  }

  async #one(query: typeof findById, values: readonly unknown[]): Promise<LinkRow | undefined> {
    const [row] = await this.database.query<LinkRow>(query, values);
    return row;
  }
}

/**
 * A link of a Spark that was read over the API cannot be opened any more and is shown as consumed (AMB-48). A tombstone has
 * no link: the statement that creates it deletes those of its Spark.
 */
export const EFFECTIVE_STATUS = `
  CASE WHEN status = 'active' AND link_type = 'spark'
        AND EXISTS (SELECT FROM sparks WHERE sparks.id = asset_id AND sparks.status = 'ash')
       THEN 'consumed' ELSE status END`;

const SELECT_LINKS = `
  SELECT id, account_id, link_type, asset_id, vault_id, domain, is_managed, visibility, ${EFFECTIVE_STATUS} AS status,
         coalesce(expires_at <= now(), false) AS is_expired, host(bound_ip) AS bound_ip, session_length,
         ${epochSeconds('created_at')},
         ${epochSeconds('expires_at')},
         kid, sealed_code, verified_kid, verified_by,
         ${epochSeconds('verified_at')},
         creator_id, creator,
         (SELECT sparks.label FROM sparks WHERE link_type = 'spark' AND sparks.id = asset_id) AS label,
         updated_at::text AS version, created_at::text AS position
    FROM sparklinks`;

// LNK-01. Qualified: an unqualified name in ORDER BY is the result column, which has whole seconds only.
export const selectLinks = statement(
  'sparks.list-links',
  `${SELECT_LINKS}
    WHERE account_id = $1 AND ($2::timestamptz IS NULL OR (created_at, id) < ($2, $3::uuid))
      AND ($4::text IS NULL OR link_type = $4)
    ORDER BY sparklinks.created_at DESC, id DESC LIMIT $5`,
);

/** A code of another account is unknown (LNK-07). */
const findByCode = statement(
  'sparks.find-link-by-code',
  `${SELECT_LINKS} WHERE code_hash = $1 AND account_id = $2`,
);

/** So is a link of another account (ENV-41). */
const findById = statement('sparks.find-link', `${SELECT_LINKS} WHERE id = $1 AND account_id = $2`);

/** Codes of another account are left out (LNK-22). */
const findCodes = statement(
  'sparks.find-codes',
  `SELECT id, account_id, asset_id, kid, sealed_code FROM sparklinks WHERE id = ANY($1::uuid[]) AND account_id = $2`,
);

/** A revoked link no longer shares its asset (SPK-47). */
const findManaged = statement(
  'sparks.find-managed-link',
  `${SELECT_LINKS} WHERE asset_id = $1 AND account_id = $2 AND is_managed AND status <> 'revoked'`,
);
