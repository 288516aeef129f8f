import { Injectable } from '@nestjs/common';
import { Database, epochSeconds, type Queryable, statement } from '@vaultsvc/database';

/** Days between two checks of a claim. */
const CHECK_EVERY_DAYS = 7;
/** Days after the first check without the record until the claim lapses. */
const LAPSE_AFTER_DAYS = 30;

/** A claim that this instance checks; the lease ends after an hour, and another check follows. */
export interface LeasedClaim {
  readonly domain: string;
  readonly accountId: string;
  /** Identifies the lease: its end. A claim that was released or checked since has another one. */
  readonly lease: string;
}

/** A claim whose record is missing. */
export interface MissingClaim {
  readonly accountId: string;
  readonly organizationName: string;
  readonly email: string;
  /** Epoch seconds. */
  readonly lapsesAt: number;
}

/** The repeated verification of claimed domains, by the database's clock. */
@Injectable()
export class DomainCheckRepository {
  constructor(private readonly database: Database) {}

  /** Leases the claim whose check is due the longest; undefined if none is due. */
  async lease(): Promise<LeasedClaim | undefined> {
    const [claim] = await this.database.query<LeasedClaim>(leaseDue);
    return claim;
  }

  /** Records that DNS has the record. */
  async recordFound({ domain, lease }: LeasedClaim): Promise<void> {
    await this.database.query(markFound, [domain, lease]);
  }

  /** Records that the record is missing; resolves to false for a claim that has lapsed, or whose lease has ended. */
  async recordMissing(tx: Queryable, { domain, lease }: LeasedClaim): Promise<boolean> {
    return (await tx.query(markMissing, [domain, lease])).length > 0;
  }

  /** Deletes a claim whose record has been missing for 30 days; resolves to false for any other. */
  async lapse(tx: Queryable, { domain, lease }: LeasedClaim): Promise<boolean> {
    return (await tx.query(deleteLapsed, [domain, lease])).length > 0;
  }

  /** The active owners of an account. */
  async ownersOf(tx: Queryable, accountId: string): Promise<string[]> {
    return (await tx.query<{ id: string }>(findOwners, [accountId])).map(({ id }) => id);
  }

  /** A claim whose record is missing, for one of its owners; undefined if the record was found or the claim has ended. */
  async missing(domain: string, ownerId: string): Promise<MissingClaim | undefined> {
    const [claim] = await this.database.query<MissingClaim>(findMissing, [domain, ownerId]);
    return claim;
  }
}

const leaseDue = statement(
  'auth.lease-domain-check',
  `UPDATE domains SET next_check_at = now() + interval '1 hour'
    WHERE domain = (SELECT domain FROM domains WHERE next_check_at <= now()
                     ORDER BY next_check_at LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING domain, account_id AS "accountId", next_check_at::text AS lease`,
);

const markFound = statement(
  'auth.mark-domain-found',
  `UPDATE domains SET missing_since = NULL, next_check_at = now() + interval '${CHECK_EVERY_DAYS} days'
    WHERE domain = $1 AND next_check_at = $2::timestamptz`,
);

const LAPSES_AT = `coalesce(missing_since, now()) + interval '${LAPSE_AFTER_DAYS} days'`;

const markMissing = statement(
  'auth.mark-domain-missing',
  `UPDATE domains SET missing_since = coalesce(missing_since, now()),
     next_check_at = least(now() + interval '${CHECK_EVERY_DAYS} days', ${LAPSES_AT})
    WHERE domain = $1 AND next_check_at = $2::timestamptz AND ${LAPSES_AT} > now()
   RETURNING domain`,
);

const deleteLapsed = statement(
  'auth.delete-lapsed-domain',
  `DELETE FROM domains WHERE domain = $1 AND next_check_at = $2::timestamptz AND ${LAPSES_AT} <= now()
   RETURNING domain`,
);

const findOwners = statement(
  'auth.find-active-owners',
  `SELECT id FROM users WHERE account_id = $1 AND role = 'owner' AND status = 'active' ORDER BY id`,
);

const findMissing = statement(
  'auth.find-missing-domain',
  `SELECT a.id AS "accountId", a.organization_name AS "organizationName", u.email, ${epochSeconds(LAPSES_AT, 'lapsesAt')}
     FROM domains d
     JOIN accounts a ON a.id = d.account_id
     JOIN users u ON u.account_id = a.id AND u.id = $2 AND u.role = 'owner' AND u.status = 'active'
    WHERE d.domain = $1 AND d.missing_since IS NOT NULL`,
);
