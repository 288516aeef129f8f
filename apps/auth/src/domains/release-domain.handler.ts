import { Controller } from '@nestjs/common';
import { AppError, type ContextOf, type Input } from '@vaultsvc/contracts';
import { domainReleased, releaseDomain, type ReleasedDomain } from '@vaultsvc/contracts/auth';
import { Database } from '@vaultsvc/database';
import { Handles, Outbox } from '@vaultsvc/messaging';
import { actorIdOf } from '../actor.js';
import { assertAdminSession } from './claim-rules.js';
import { domainNameOf } from '../names/domain-name.js';
import { DomainRepository } from './domain.repository.js';

@Controller()
export class ReleaseDomain {
  constructor(
    private readonly database: Database,
    private readonly domains: DomainRepository,
    private readonly outbox: Outbox,
  ) {}

  @Handles(releaseDomain)
  async handle(
    { params }: Input<typeof releaseDomain>,
    context: ContextOf<typeof releaseDomain>,
  ): Promise<ReleasedDomain> {
    assertAdminSession(context);
    const domain = domainNameOf(params.domain);
    // An invalid name, an unknown domain and a domain of another account get the same answer.
    if (domain === undefined) throw new AppError('DOMAIN_NOT_FOUND');
    const { accountId } = context.credential;
    await this.database.transaction(async (tx) => {
      if (!(await this.domains.release(tx, accountId, domain))) throw new AppError('DOMAIN_NOT_FOUND');
      const fact = { account_id: accountId, domain, actor_id: actorIdOf(context) };
      await this.outbox.publish(tx, domainReleased, fact, context);
    });
    return { deleted: true, domain };
  }
}
