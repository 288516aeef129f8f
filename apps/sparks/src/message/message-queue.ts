import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { identityTypeOf, type IdentityType } from '@vaultsvc/contracts';
import { messageOwed, type MessageKind } from '@vaultsvc/contracts/sparks';
import { statement, type Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import type { NewInvite } from '../link/invite.repository.js';
import { LinkSeal, type SealedText } from '../link/link-seal.js';
import { MessageCountRepository, type CountedMessage } from './message-count.repository.js';

/** Days within which a message about a link without end is of use. */
const KEPT_DAYS = 7;

/** Somebody is to be written to about a link. */
export interface DueMessage {
  readonly linkId: string;
  readonly accountId: string;
  readonly kind: MessageKind;
  /** An e-mail address or an E.164 number. */
  readonly identity: string;
  /** Of `kind` code alone. */
  readonly code?: string;
}

/** One that is ready to be owed. */
export interface SealedMessage extends SealedText, CountedMessage {
  readonly kind: MessageKind;
}

/** What is sealed of a message. */
export interface MessageText {
  readonly identity: string;
  readonly code?: string;
}

/** MessageQueue that people are owed: kept here, sealed; notify learns their ids and asks when it sends. */
@Injectable()
export class MessageQueue {
  constructor(
    private readonly seal: LinkSeal,
    private readonly counts: MessageCountRepository,
    private readonly outbox: Outbox,
  ) {}

  /** Before the transaction that owes it (see `LinkSeal`). Throws `KmsUnavailable`. */
  async make({ linkId, accountId, kind, identity, code }: DueMessage): Promise<SealedMessage> {
    const text: MessageText = { identity, ...(code !== undefined && { code }) };
    const [value] = await this.seal.seal(linkId, [JSON.stringify(text)]);
    if (!value) throw new Error('nothing was sealed');
    return { ...value, accountId, kind, channel: channelOf(identity) };
  }

  /** What each of them is to be sent; as `make`. */
  invitations(accountId: string, invites: readonly NewInvite[]): Promise<SealedMessage[]> {
    return Promise.all(
      invites.map(({ linkId, identity }) => this.make({ linkId, accountId, kind: 'invitation', identity })),
    );
  }

  /**
   * Owes messages from the commit of this transaction on, until `expiresAt` in epoch seconds; null: as long as the link
   * itself, and 7 days at most. Throws as `count`.
   */
  async owe(
    tx: Transaction,
    messages: readonly SealedMessage[],
    requestId: string | null,
    expiresAt: number | null = null,
  ): Promise<void> {
    await this.counts.add(tx, messages);
    for (const { linkId, accountId, kind, channel, kid, sealed } of messages) {
      const id = randomUUID();
      await tx.query(insertMessage, [id, linkId, kind, kid, sealed, expiresAt]);
      const fact = { account_id: accountId, message_id: id, kind, channel };
      await this.outbox.publish(tx, messageOwed, fact, { requestId, accountId });
    }
    tx.afterCommit(() => Promise.resolve(this.outbox.wake()));
  }

  /**
   * Counts a message that is not owed as if it were, where a difference would tell something. Throws MESSAGES_EXHAUSTED
   * with `resets_at` when its account has caused as many as it may, and the transaction changes nothing.
   */
  count(tx: Transaction, message: SealedMessage): Promise<void> {
    return this.counts.add(tx, [message]);
  }
}

/** How an identity is written to. */
export function channelOf(identity: string): IdentityType {
  const type = identityTypeOf(identity);
  if (!type) throw new Error('neither an e-mail address nor a phone number');
  return type;
}

// `least` passes over a link without end.
const insertMessage = statement(
  'sparks.insert-message',
  `INSERT INTO link_messages (id, link_id, kind, kid, sealed, expires_at)
   SELECT $1, id, $3, $4, $5, coalesce(to_timestamp($6::bigint), least(expires_at, now() + interval '${KEPT_DAYS} days'))
     FROM sparklinks WHERE id = $2`,
);
