import { Injectable } from '@nestjs/common';
import { Database, epochSeconds, type Queryable, statement } from '@vaultsvc/database';
import type { Domain } from '@vaultsvc/contracts/auth';
import type { TxtRecord } from './challenge-records.js';

export interface DomainRow {
  readonly domain: string;
  /** Epoch seconds by the database's clock. */
  readonly verified_at: number;
}

/** The rows that decide whether an account may claim a domain. */
export interface ClaimState {
  /** The account that has claimed the domain, or null. */
  readonly holder: string | null;
  /** Number of domains this account has claimed. */
  readonly claimed: number;
}

/** Claimed domains, in normal form. Only verified claims are stored. */
@Injectable()
export class DomainRepository {
  constructor(private readonly database: Database) {}

  /** By name. */
  list(accountId: string): Promise<DomainRow[]> {
    return this.database.query<DomainRow>(listDomains, [accountId]);
  }

  async standing(on: Queryable, accountId: string, domain: string): Promise<ClaimState> {
    const values = [accountId, domain];
    const [row] = await on.query<ClaimState>(readStanding, values);
    if (!row) throw new Error('the state of a claim returned no row');
    return row;
  }

  /** Serializes the claims of an account until the transaction ends. */
  async lockAccount(tx: Queryable, accountId: string): Promise<void> {
    await tx.query(lockAccount, [accountId]);
  }

  /** Inserts a claim; undefined if the domain is claimed. Waits for a concurrent claim of the same domain. */
  async claim(tx: Queryable, accountId: string, domain: string): Promise<DomainRow | undefined> {
    const [row] = await tx.query<DomainRow>(claimDomain, [domain, accountId]);
    return row;
  }

  /** Resolves to false if this account has not claimed the domain. */
  async release(tx: Queryable, accountId: string, domain: string): Promise<boolean> {
    return (await tx.query(releaseDomain, [domain, accountId])).length === 1;
  }
}

const listDomains = statement(
  'auth.list-domains',
  `SELECT domain, ${epochSeconds('verified_at')}
     FROM domains WHERE account_id = $1 ORDER BY domain`,
);

const readStanding = statement(
  'auth.read-claim-standing',
  `SELECT (SELECT account_id FROM domains WHERE domain = $2) AS holder,
          (SELECT count(*) FROM domains WHERE account_id = $1) AS claimed`,
);

// NO KEY: inserts with foreign keys to this account do not wait for the lock.
const lockAccount = statement(
  'auth.lock-account-for-claim',
  `SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE`,
);

const claimDomain = statement(
  'auth.claim-domain',
  `INSERT INTO domains (domain, account_id) VALUES ($1, $2) ON CONFLICT DO NOTHING
   RETURNING domain, ${epochSeconds('verified_at')}`,
);

const releaseDomain = statement(
  'auth.release-domain',
  `DELETE FROM domains WHERE domain = $1 AND account_id = $2 RETURNING domain`,
);

/** A claim as the API returns it. It is created when it is verified, so both times are equal (DOM-03). */
export function presentDomain(
  { domain, verified_at }: DomainRow,
  { txt_name, txt_value }: TxtRecord,
): Domain {
  return {
    domain,
    verification_method: 'dns_txt',
    txt_name,
    txt_value,
    created_at: verified_at,
    verified_at,
  };
}
