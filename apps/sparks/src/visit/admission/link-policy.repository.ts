import { Injectable } from '@nestjs/common';
import { grantRevealed, type GrantReveal, type RevealedVersion } from '@vaultsvc/contracts/sparks';
import { Database, epochSeconds, statement, type Queryable } from '@vaultsvc/database';
import { TOKEN_HOURS } from './link-policy-sql.js';
import type { SealedLinkText } from '../../link/link-sealer.js';

/** Hours in which two recipients of a send must verify, for dual control (OPEN-64). */
const DUAL_CONTROL_HOURS = 24;

/** The record of a reveal, before its transaction. */
export interface NewReveal {
  readonly tokenLookup: Buffer;
  /** `RevealText` as JSON. */
  readonly sealed: SealedLinkText;
  /** Of the proof; null without one. */
  readonly verifiedAt: number | null;
  readonly verifiedBy: GrantReveal['verified_by'];
  readonly requestId: string;
}

/** The sealed part of a reveal. */
export interface RevealText {
  readonly verified_by: string | null;
  readonly action_hash: string;
  /** Of an ingot; absent from reveals of the previous release. */
  readonly version?: RevealedVersion;
}

/** The policies of grants at their opening. The clock of the database decides. */
@Injectable()
export class LinkPolicyRepository {
  constructor(private readonly database: Database) {}

  /** Whether a verification of this time (epoch seconds) is recent enough for the policy. */
  async isFresh(linkId: string, verifiedAt: number): Promise<boolean> {
    return (await this.database.query(findFresh, [linkId, verifiedAt])).length > 0;
  }

  /**
   * Records a verified visit. Returns whether recipients of two links of the send have visited theirs within 24 hours. The
   * visit is committed before the recipients are counted: of two that visit at the same moment, one at least counts both.
   */
  async visit(linkId: string): Promise<boolean> {
    await this.database.query(recordVisit, [linkId]);
    return (await this.database.query(findDualControl, [linkId])).length > 0;
  }

  /**
   * Records the reveal and its event if the policy is met at this moment. Returns when the interaction token expires, in epoch
   * seconds; undefined if the policy is not met, or the grant was revealed before.
   */
  async reveal(tx: Queryable, reveal: NewReveal): Promise<number | undefined> {
    const { tokenLookup, sealed, verifiedAt, verifiedBy, requestId } = reveal;
    const values = [sealed.linkId, verifiedAt, tokenLookup, sealed.kid, sealed.sealed, verifiedBy, requestId];
    const [row] = await tx.query<{ expires_at: number }>(revealOnce, values);
    return row?.expires_at;
  }
}

/** Level none verifies nobody, so nothing can be too old. */
const IS_FRESH = `
  (p.freshness_minutes IS NULL OR p.verification_level = 'none'
   OR to_timestamp($2::bigint) > clock_timestamp() - make_interval(mins => p.freshness_minutes))`;

/** A revoked link, and one of a deleted Spark, does not count: its recipient was excluded. */
const HAS_TWO_PEOPLE = `
  (SELECT count(*) FROM link_policies v JOIN sparklinks l ON l.id = v.link_id
    WHERE v.group_id = p.group_id AND v.account_id = p.account_id AND l.status <> 'revoked'
      AND v.visited_at > clock_timestamp() - interval '${DUAL_CONTROL_HOURS} hours') >= 2`;

const findFresh = statement(
  'sparks.find-fresh-policy',
  `SELECT 1 FROM link_policies p WHERE link_id = $1 AND ${IS_FRESH}`,
);

const recordVisit = statement(
  'sparks.record-visit',
  `UPDATE link_policies SET visited_at = clock_timestamp() WHERE link_id = $1`,
);

const findDualControl = statement(
  'sparks.find-dual-control',
  `SELECT 1 FROM link_policies p WHERE link_id = $1 AND ${HAS_TWO_PEOPLE}`,
);

const revealOnce = statement(
  'sparks.reveal-grant',
  `WITH revealed AS (
     UPDATE link_policies p
        SET revealed_at = now, token_lookup = $3, token_expires_at = now + interval '${TOKEN_HOURS} hours',
            kid = $4, sealed_reveal = $5
       FROM clock_timestamp() AS now
      WHERE link_id = $1 AND revealed_at IS NULL AND ${IS_FRESH}
        AND (verification_level <> 'dual_control' OR ${HAS_TWO_PEOPLE})
     RETURNING account_id, link_id, group_id, verification_level, token_expires_at, ${epochSeconds('revealed_at')}),
   event AS (
     INSERT INTO outbox (name, account_id, request_id, payload)
     SELECT '${grantRevealed.name}', account_id, $7,
            jsonb_build_object('account_id', account_id, 'link_id', link_id, 'group_id', group_id,
                               'verification_level', verification_level, 'verified_by', $6::text, 'revealed_at', revealed_at)
       FROM revealed)
   SELECT ${epochSeconds('token_expires_at', 'expires_at')} FROM revealed`,
);
