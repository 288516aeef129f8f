import { Injectable } from '@nestjs/common';
import type { LinkDomain } from '@vaultsvc/contracts';
import type { LinkType, Visibility } from '@vaultsvc/contracts/sparks';
import { Database, statement } from '@vaultsvc/database';
import { codeHashOf } from '../link/link-sealer.js';
import type { LinkEnd } from '../link/link-state-error.js';

/** The state of a link for visitors; the database's clock decides expiry (LNK-19). */
export type LinkState = 'active' | LinkEnd;

/** A link that a visitor has the code of. */
export interface VisitedLink {
  readonly id: string;
  /** The data key of its code. */
  readonly kid: string;
  readonly code: string;
  readonly accountId: string;
  readonly linkType: LinkType;
  /** The Spark or ingot. */
  readonly assetId: string;
  /** For links of ingots only. */
  readonly vaultId: string | null;
  readonly visibility: Visibility;
  /** A durable share has the domain `files` and is never consumed. */
  readonly domain: LinkDomain;
  readonly boundIp: string | null;
  readonly state: LinkState;
}

/** Finds links by the hash of their code. */
@Injectable()
export class VisitedLinkRepository {
  constructor(private readonly database: Database) {}

  /** Undefined for an unknown code, one of the other domain, and a malformed one (OPEN-22). */
  async find(code: string, domain: LinkDomain): Promise<VisitedLink | undefined> {
    const codeHash = codeHashOf(code);
    if (!codeHash) return undefined;
    const [row] = await this.database.query<LinkRow>(findByCode, [codeHash, domain]);
    return row && toLink(code, row);
  }
}

interface LinkRow {
  id: string;
  kid: string;
  account_id: string;
  link_type: LinkType;
  asset_id: string;
  vault_id: string | null;
  visibility: Visibility;
  domain: LinkDomain;
  bound_ip: string | null;
  state: LinkState;
}

function toLink(code: string, row: LinkRow): VisitedLink {
  return {
    id: row.id,
    kid: row.kid,
    code,
    accountId: row.account_id,
    linkType: row.link_type,
    assetId: row.asset_id,
    vaultId: row.vault_id,
    visibility: row.visibility,
    domain: row.domain,
    boundIp: row.bound_ip,
    state: row.state,
  };
}

const findByCode = statement(
  'sparks.find-visited-link',
  `SELECT id, kid, account_id, link_type, asset_id, vault_id, visibility, domain, host(bound_ip) AS bound_ip,
          CASE WHEN status <> 'active' THEN status WHEN expires_at <= clock_timestamp() THEN 'expired' ELSE 'active' END AS state
     FROM sparklinks WHERE code_hash = $1 AND domain = $2`,
);
