import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { identityTypeOf, type IdentityType } from '@vaultsvc/contracts';
import { messageOwed, type MessageKind } from '@vaultsvc/contracts/sparks';
import { statement, type Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { LinkSeal } from '../link/link-seal.js';

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
  /** Epoch seconds; null: as the link itself, and 7 days at most. */
  readonly expiresAt: number | null;
}

/** What is sealed of a message. */
export interface MessageText {
  readonly identity: string;
  readonly code?: string;
}

/** Messages that people are owed: kept here, sealed; notify learns their ids and asks when it sends. */
@Injectable()
export class Messages {
  constructor(
    @Inject(LinkSeal) private readonly seal: LinkSeal,
    @Inject(Outbox) private readonly outbox: Outbox,
  ) {}

  /**
   * Owes a message from the commit of this transaction on. Whoever calls has sealed something for the link just before
   * the transaction, so that the key is at hand and nothing waits for key management here.
   */
  async owe(tx: Transaction, message: DueMessage, requestId: string | null): Promise<void> {
    const { linkId, accountId, kind, identity, code, expiresAt } = message;
    const id = randomUUID();
    const text: MessageText = { identity, ...(code !== undefined && { code }) };
    const [value] = await this.seal.seal(linkId, [JSON.stringify(text)]);
    if (!value) throw new Error('nothing was sealed');
    await tx.query(insertMessage, [id, linkId, kind, value.kid, value.sealed, expiresAt]);
    const fact = { account_id: accountId, message_id: id, kind, channel: channelOf(identity) };
    await this.outbox.publish(tx, messageOwed, fact, { requestId, accountId });
    tx.afterCommit(() => Promise.resolve(this.outbox.wake()));
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
