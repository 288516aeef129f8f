import { Controller } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import { domainUnproven, type DomainUnproven } from '@vaultsvc/contracts/auth';
import type { Transaction } from '@vaultsvc/database';
import { Consumes } from '@vaultsvc/messaging';
import { MessageRepository, type NewMessage } from '../messages/message.repository.js';
import { MessageWaker } from '../messages/message-waker.js';
import { subjectOf } from './domain-warning-subject.js';

/** Queues one mail for each owner who is warned. */
@Controller()
export class OnDomainsUnproven {
  constructor(
    private readonly messages: MessageRepository,
    private readonly waker: MessageWaker,
  ) {}

  @Consumes(domainUnproven)
  async apply(deliveries: readonly Delivery<DomainUnproven>[], tx: Transaction): Promise<void> {
    await this.messages.add(tx, deliveries.map(mailFor));
    tx.afterCommit(async () => this.waker.wake());
  }
}

function mailFor({ id, requestId, payload }: Delivery<DomainUnproven>): NewMessage {
  const accountId = payload.account_id;
  return {
    id,
    kind: 'domain_warning',
    channel: 'email',
    subjectId: subjectOf(payload),
    accountId,
    requestId,
  };
}
