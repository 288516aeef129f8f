import { Injectable } from '@nestjs/common';
import { statement, type Queryable } from '@vaultsvc/database';
import { domainOfEmail } from '../names/domain-name.js';

/** Finds the account that claimed the domain of an address, for sign-up, sign-in and invitations (AUTH-12, OPEN-59). */
@Injectable()
export class DomainClaimLookup {
  /**
   * The account that has claimed exactly the domain of this address, in any spelling, or undefined. The claim of a domain
   * does not cover its subdomains.
   */
  async accountOf(on: Queryable, email: string): Promise<string | undefined> {
    const domain = domainOfEmail(email);
    if (domain === undefined) return undefined;
    const [row] = await on.query<{ account_id: string }>(findClaim, [domain]);
    return row?.account_id;
  }
}

const findClaim = statement('auth.find-domain-claim', `SELECT account_id FROM domains WHERE domain = $1`);
