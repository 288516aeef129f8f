import { Injectable } from '@nestjs/common';
import type { LinkDomain } from '@vaultsvc/contracts';
import type { Interaction, LinkType, VerificationLevel, Visibility } from '@vaultsvc/contracts/sparks';
import { Database, statement } from '@vaultsvc/database';
import { codeHashOf } from '../../link/link-sealer.js';
import type { EndedLinkState } from '../../link/link-state-error.js';

/** The state of a link for visitors; the database's clock decides expiry (LNK-19). */
export type LinkState = 'active' | EndedLinkState;

/** The terms of a grant (NTF-08, NTF-11). */
export interface VisitTerms {
  /** The send. */
  readonly groupId: string;
  readonly level: VerificationLevel;
  readonly interaction: Interaction;
  /** The greatest age of the verification; null: any. */
  readonly freshnessMinutes: number | null;
}

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
  /** null for a link that is no grant. */
  readonly policy: VisitTerms | null;
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
  group_id: string | null;
  verification_level: VerificationLevel;
  interaction: Interaction;
  freshness_minutes: number | null;
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
    policy: row.group_id === null ? null : toPolicy(row, row.group_id),
  };
}

function toPolicy(row: LinkRow, groupId: string): VisitTerms {
  const { verification_level: level, interaction, freshness_minutes: freshnessMinutes } = row;
  return { groupId, level, interaction, freshnessMinutes };
}

const findByCode = statement(
  'sparks.find-visited-link',
  `SELECT l.id, l.kid, l.account_id, l.link_type, l.asset_id, l.vault_id, l.visibility, l.domain, host(l.bound_ip) AS bound_ip,
          CASE WHEN l.status <> 'active' THEN l.status WHEN l.expires_at <= clock_timestamp() THEN 'expired' ELSE 'active' END AS state,
          p.group_id, p.verification_level, p.interaction, p.freshness_minutes
     FROM sparklinks l LEFT JOIN link_policies p ON p.link_id = l.id
    WHERE l.code_hash = $1 AND l.domain = $2`,
);
