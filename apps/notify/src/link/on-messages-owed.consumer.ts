import { Controller } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import { messageOwed, type MessageOwed } from '@vaultsvc/contracts/sparks';
import type { Transaction } from '@vaultsvc/database';
import { Consumes } from '@vaultsvc/messaging';
import { MessageRepository, type MessageKind, type NewMessage } from '../messages/message.repository.js';
import { MessageWaker } from '../messages/message-waker.js';

const kinds = {
  invitation: 'link_invitation',
  delivery: 'link_delivery',
  code: 'link_code',
  lockout: 'link_lockout',
} as const satisfies Record<MessageOwed['kind'], MessageKind>;

/** Queues one mail or text message for each message that sparks requests. */
@Controller()
export class OnMessagesOwed {
  constructor(
    private readonly messages: MessageRepository,
    private readonly waker: MessageWaker,
  ) {}

  @Consumes(messageOwed)
  async apply(deliveries: readonly Delivery<MessageOwed>[], tx: Transaction): Promise<void> {
    await this.messages.add(tx, deliveries.map(messageFor));
    tx.afterCommit(async () => this.waker.wake());
  }
}

function messageFor({ id, requestId, payload }: Delivery<MessageOwed>): NewMessage {
  const { message_id: subjectId, account_id: accountId, channel } = payload;
  return { id, kind: kinds[payload.kind], channel, subjectId, accountId, requestId };
}
