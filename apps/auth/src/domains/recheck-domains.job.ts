import { Injectable } from '@nestjs/common';
import { domainLapsed, domainUnproven } from '@vaultsvc/contracts/auth';
import { Database, type Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { DomainCheckRepository, type LeasedClaim } from './domain-check.repository.js';
import { DomainControlVerifier } from './domain-control-verifier.js';

/** A query may take 5 seconds, and a shutdown waits for the end of the run. */
const CHECKS_BATCH = 50;

/** The actor in the audit log. */
const LAPSE = { kind: 'job', id: 'recheck-domains' } as const;

/**
 * Verifies each claimed domain again every week (DOM-09). While its record is missing, each check warns the owners, and after
 * 30 days the claim lapses, as if it were released. A failed query says nothing and is repeated after an hour.
 */
@Injectable()
export class RecheckDomains {
  readonly everySeconds = 300;

  constructor(
    private readonly database: Database,
    private readonly checks: DomainCheckRepository,
    private readonly control: DomainControlVerifier,
    private readonly outbox: Outbox,
  ) {}

  async run(): Promise<void> {
    for (let i = 0; i < CHECKS_BATCH; i++) {
      const claim = await this.checks.lease();
      if (!claim) return;
      await this.#check(claim);
    }
  }

  async #check(claim: LeasedClaim): Promise<void> {
    const { isProven, isConclusive } = await this.control.check(claim.accountId, claim.domain);
    if (isProven) return this.checks.recordFound(claim);
    if (!isConclusive) return;
    await this.database.transaction((tx) => this.#miss(tx, claim));
  }

  async #miss(tx: Transaction, claim: LeasedClaim): Promise<void> {
    if (await this.checks.recordMissing(tx, claim)) await this.#warnOwners(tx, claim);
    else if (await this.checks.lapse(tx, claim)) {
      const { accountId, domain } = claim;
      const fact = { account_id: accountId, domain, actor: LAPSE };
      await this.outbox.publish(tx, domainLapsed, fact, { requestId: null, accountId });
    }
  }

  async #warnOwners(tx: Transaction, { accountId, domain }: LeasedClaim): Promise<void> {
    for (const userId of await this.checks.ownersOf(tx, accountId)) {
      const fact = { account_id: accountId, user_id: userId, domain };
      await this.outbox.publish(tx, domainUnproven, fact, { requestId: null, accountId });
    }
  }
}
