import { Controller } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import { ownersChanged, type OwnersChanged } from '@vaultsvc/contracts/auth';
import type { Transaction } from '@vaultsvc/database';
import { Consumes } from '@vaultsvc/messaging';
import { MessageRepository, type NewMessage } from '../messages/message.repository.js';
import { MessageWaker } from '../messages/message-waker.js';

/** Queues one mail for each owner of an account whose owners change. */
@Controller()
export class OnOwnersChanged {
  constructor(
    private readonly messages: MessageRepository,
    private readonly waker: MessageWaker,
  ) {}

  @Consumes(ownersChanged)
  async apply(deliveries: readonly Delivery<OwnersChanged>[], tx: Transaction): Promise<void> {
    await this.messages.add(tx, deliveries.map(mailFor));
    tx.afterCommit(async () => this.waker.wake());
  }
}

function mailFor({ id, requestId, payload }: Delivery<OwnersChanged>): NewMessage {
  const { account_id: accountId, notice_id: subjectId } = payload;
  return { id, kind: 'owner_change', channel: 'email', subjectId, accountId, requestId };
}
