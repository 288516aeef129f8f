import { Controller } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import { userInvited, type UserInvited } from '@vaultsvc/contracts/auth';
import type { Transaction } from '@vaultsvc/database';
import { Consumes } from '@vaultsvc/messaging';
import { MessageRepository, type NewMessage } from '../messages/message.repository.js';
import { MessageWaker } from '../messages/message-waker.js';

/** Queues one mail for each invited user. */
@Controller()
export class OnUsersInvited {
  constructor(
    private readonly messages: MessageRepository,
    private readonly waker: MessageWaker,
  ) {}

  @Consumes(userInvited)
  async apply(deliveries: readonly Delivery<UserInvited>[], tx: Transaction): Promise<void> {
    await this.messages.add(tx, deliveries.map(mailFor));
    tx.afterCommit(async () => this.waker.wake());
  }
}

function mailFor({ id, requestId, payload }: Delivery<UserInvited>): NewMessage {
  const { user_id: subjectId, account_id: accountId } = payload;
  return { id, kind: 'invitation', channel: 'email', subjectId, accountId, requestId };
}
