import { Injectable } from '@nestjs/common';
import type { ResolvedGrant, VerificationLevel } from '@vaultsvc/contracts/sparks';
import { Database, epochSeconds, statement } from '@vaultsvc/database';
import type { SealedCodeRow } from '../../link/link-sealer.js';
import { EFFECTIVE_STATUS, isUuid } from '../../link/link.repository.js';

/** A grant as it is now; its code is sealed. */
export interface GrantRow extends SealedCodeRow {
  readonly status: ResolvedGrant['status'];
  readonly expires_at: number;
}

/** A grant and its reveal, which may be read only if `is_redeemable`: the token is right and has not expired. */
export interface RevealRow {
  readonly account_id: string;
  readonly link_id: string;
  readonly verification_level: VerificationLevel;
  readonly is_redeemable: boolean;
  readonly kid: string;
  /** A `RevealText`. */
  readonly sealed_reveal: Buffer;
  readonly revealed_at: number;
}

/** Reads the states of grants, and the reveals that interaction tokens stand for. */
@Injectable()
export class GrantStateRepository {
  constructor(private readonly database: Database) {}

  /** Those of these grants that belong to the account. A malformed id is unknown. */
  find(linkIds: readonly string[], accountId: string): Promise<GrantRow[]> {
    return this.database.query<GrantRow>(findGrants, [linkIds.filter(isUuid), accountId]);
  }

  /** Undefined for a link that is no grant. The lookup is null for a token that is malformed. */
  async findReveal(codeHash: Buffer, tokenLookup: Buffer | null): Promise<RevealRow | undefined> {
    const [row] = await this.database.query<RevealRow>(findReveal, [codeHash, tokenLookup]);
    return row;
  }
}

const findGrants = statement(
  'sparks.find-grants',
  `SELECT id, sparklinks.account_id, asset_id, sparklinks.kid, sealed_code, ${epochSeconds('expires_at')},
          CASE WHEN ${EFFECTIVE_STATUS} = 'active' AND expires_at <= clock_timestamp() THEN 'expired'
               ELSE ${EFFECTIVE_STATUS} END AS status
     FROM sparklinks JOIN link_policies p ON p.link_id = id
    WHERE id = ANY($1::uuid[]) AND sparklinks.account_id = $2`,
);

const findReveal = statement(
  'sparks.find-reveal',
  `SELECT account_id, link_id, verification_level, kid, sealed_reveal, ${epochSeconds('revealed_at')},
          coalesce(token_lookup = $2 AND token_expires_at > clock_timestamp(), false) AS is_redeemable
     FROM link_policies WHERE code_hash = $1`,
);
