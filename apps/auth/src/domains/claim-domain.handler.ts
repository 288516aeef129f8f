import { Controller } from '@nestjs/common';
import type { AccountContext, ContextOf, Input } from '@vaultsvc/contracts';
import { claimDomain, domainClaimed, type ClaimedDomain } from '@vaultsvc/contracts/auth';
import { Database, type Transaction } from '@vaultsvc/database';
import { Handles, Outbox } from '@vaultsvc/messaging';
import { actorIdOf } from '../actor.js';
import { assertAdminSession, ClaimRules } from './claim-rules.js';
import { DomainControlVerifier } from './domain-control-verifier.js';
import { DomainRepository, type DomainRow, presentDomain } from './domain.repository.js';

const MESSAGE =
  'The domain is verified. Nobody else can sign up with its e-mail addresses any more. Keep the record: it is verified again every week.';
/** The part of the caller's deadline that is reserved for the transaction. */
const STORING_MS = 1_000;

@Controller()
export class ClaimDomain {
  constructor(
    private readonly database: Database,
    private readonly rules: ClaimRules,
    private readonly domains: DomainRepository,
    private readonly check: DomainControlVerifier,
    private readonly outbox: Outbox,
  ) {}

  @Handles(claimDomain)
  async handle(
    { body }: Input<typeof claimDomain>,
    context: ContextOf<typeof claimDomain>,
  ): Promise<ClaimedDomain> {
    assertAdminSession(context);
    const { accountId } = context.credential;
    const domain = this.rules.claimable(body.domain);
    await this.rules.assertMayClaim(this.database, accountId, domain);
    const withinMs = context.deadlineMs - STORING_MS - Date.now();
    const record = await this.check.assertControl(accountId, domain, withinMs);
    const row = await this.database.transaction((tx) => this.#store(tx, domain, context));
    return { domain: presentDomain(row, record), message: MESSAGE };
  }

  async #store(tx: Transaction, domain: string, context: AccountContext): Promise<DomainRow> {
    const { accountId } = context.credential;
    await this.domains.lockAccount(tx, accountId);
    const row = await this.#claim(tx, accountId, domain);
    const fact = { account_id: accountId, domain, actor_id: actorIdOf(context) };
    await this.outbox.publish(tx, domainClaimed, fact, context);
    return row;
  }

  /** After a lost insert the rules see the winner and refuse; if the winner has released the domain since, retry. */
  async #claim(tx: Transaction, accountId: string, domain: string): Promise<DomainRow> {
    for (;;) {
      await this.rules.assertMayClaim(tx, accountId, domain);
      const row = await this.domains.claim(tx, accountId, domain);
      if (row) return row;
    }
  }
}
