import { Injectable } from '@nestjs/common';
import type { LinkDomain } from '@vaultsvc/contracts';
import type { LinkListQuery, LinkStatus, LinkType, Visibility } from '@vaultsvc/contracts/sparks';
import { Database, epochSeconds, type Page, readPosition, statement, toPage } from '@vaultsvc/database';

/** A link as its owner's side reads it; code and names are sealed. */
export interface LinkRow {
  id: string;
  account_id: string;
  link_type: LinkType;
  asset_id: string;
  vault_id: string | null;
  domain: LinkDomain;
  is_managed: boolean;
  visibility: Visibility;
  /** As it is shown: also consumed where its Spark was read without it. */
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
  /** Changes whenever it is changed who may open it. */
  version: string;
  position: string;
}

/** Reads links, always as those of one account. */
@Injectable()
export class LinkRepository {
  constructor(private readonly database: Database) {}

  /** Newest first, revoked and consumed ones too. */
  async list(accountId: string, { type, limit, cursor }: LinkListQuery): Promise<Page<LinkRow>> {
    const [createdAt = null, id = null] = readPosition(cursor, 2) ?? [];
    const values = [accountId, createdAt, id, type ?? null, limit + 1];
    const rows = await this.database.query<LinkRow>(listLinks, values);
    return toPage(rows, limit, (row) => [row.position, row.id]);
  }

  findByCode(codeHash: Buffer, accountId: string): Promise<LinkRow | undefined> {
    return this.#one(findByCode, [codeHash, accountId]);
  }

  findById(linkId: string, accountId: string): Promise<LinkRow | undefined> {
    return this.#one(findById, [linkId, accountId]);
  }

  /** The link that sharing this asset has made and changes, unless it was withdrawn. */
  findManaged(assetId: string, accountId: string): Promise<LinkRow | undefined> {
    return this.#one(findManaged, [assetId, accountId]);
  }

  async #one(query: typeof findById, values: readonly unknown[]): Promise<LinkRow | undefined> {
    const [row] = await this.database.query<LinkRow>(query, values);
    return row;
  }
}

/** A link whose Spark was read over the API opens nothing any more and is shown as consumed (AMB-48). */
const SHOWN_STATUS = `
  CASE WHEN status = 'active' AND link_type = 'spark'
        AND (EXISTS (SELECT FROM sparks WHERE sparks.id = asset_id AND sparks.status = 'ash')
             OR EXISTS (SELECT FROM spent_sparks WHERE spent_sparks.id = asset_id AND is_burned))
       THEN 'consumed' ELSE status END`;

const SELECT_LINKS = `
  SELECT id, account_id, link_type, asset_id, vault_id, domain, is_managed, visibility, ${SHOWN_STATUS} AS status,
         coalesce(expires_at <= now(), false) AS is_expired, host(bound_ip) AS bound_ip, session_length,
         ${epochSeconds('created_at')},
         ${epochSeconds('expires_at')},
         kid, sealed_code, verified_kid, verified_by,
         ${epochSeconds('verified_at')},
         updated_at::text AS version, created_at::text AS position
    FROM sparklinks`;

// Qualified: an unqualified name in ORDER BY is that of the result, which is in whole seconds.
const listLinks = statement(
  'sparks.list-links',
  `${SELECT_LINKS}
    WHERE account_id = $1 AND ($2::timestamptz IS NULL OR (created_at, id) < ($2, $3::uuid))
      AND ($4::text IS NULL OR link_type = $4)
    ORDER BY sparklinks.created_at DESC, id DESC LIMIT $5`,
);

const findByCode = statement(
  'sparks.find-link-by-code',
  `${SELECT_LINKS} WHERE code_hash = $1 AND account_id = $2`,
);

const findById = statement('sparks.find-link', `${SELECT_LINKS} WHERE id = $1 AND account_id = $2`);

const findManaged = statement(
  'sparks.find-managed-link',
  `${SELECT_LINKS} WHERE asset_id = $1 AND account_id = $2 AND is_managed AND status <> 'revoked'`,
);
