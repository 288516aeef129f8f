import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { messageOwed, type MessageKind } from '@vaultsvc/contracts/sparks';
import { Database, epochSeconds, statement, type Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { channelOf } from '../link/channel-of-identity.js';
import type { NewInvite } from '../link/invite.repository.js';
import type { LinkRow } from '../link/link.repository.js';
import { LinkSealer, type SealedLinkText } from '../link/link-sealer.js';
import { MessageCountRepository, type CountedMessage } from './message-count.repository.js';

/** The lifetime of a message about a link that never expires. */
const LIFETIME_DAYS = 7;

/** A message about a link, in clear. */
export interface NewLinkMessage {
  readonly linkId: string;
  readonly accountId: string;
  readonly kind: MessageKind;
  /** An e-mail address or an E.164 number: the recipient's, and for `kind` lockout the visitor's. */
  readonly identity: string;
  /** For `kind` code only. */
  readonly code?: string;
}

/** A message that is ready for `enqueue`. */
export interface SealedMessage extends SealedLinkText, CountedMessage {
  readonly kind: MessageKind;
}

/** The sealed part of a message. */
export interface MessageText {
  readonly identity: string;
  readonly code?: string;
}

/**
 * Queues messages to people for notify. The text is stored sealed; the event carries the message's id, and notify reads
 * the text when it sends.
 */
@Injectable()
export class LinkMessageQueue {
  constructor(
    private readonly database: Database,
    private readonly sealer: LinkSealer,
    private readonly counts: MessageCountRepository,
    private readonly outbox: Outbox,
  ) {}

  /** Call it before the transaction that enqueues the message (see `LinkSealer`). Throws `KmsUnavailable`. */
  async seal({ linkId, accountId, kind, identity, code }: NewLinkMessage): Promise<SealedMessage> {
    const text: MessageText = { identity, ...(code !== undefined && { code }) };
    const [value] = await this.sealer.sealTexts(linkId, [JSON.stringify(text)]);
    if (!value) throw new Error('nothing was sealed');
    // A lockout is reported to the owner, whose address is an e-mail address.
    return { ...value, accountId, kind, channel: kind === 'lockout' ? 'email' : channelOf(identity) };
  }

  /** The invitations for these invites; see `seal`. */
  sealInvitations(accountId: string, invites: readonly NewInvite[]): Promise<SealedMessage[]> {
    return Promise.all(
      invites.map(({ linkId, identity }) => this.seal({ linkId, accountId, kind: 'invitation', identity })),
    );
  }

  /**
   * Enqueues one message in a transaction of its own and returns its time in epoch seconds.
   * @param effect further changes of that transaction
   */
  async enqueueNow(
    link: LinkRow,
    kind: Exclude<MessageKind, 'code'>,
    identity: string,
    requestId: string,
    effect: (tx: Transaction) => Promise<void> = async () => undefined,
  ): Promise<number> {
    const { id: linkId, account_id: accountId } = link;
    const message = await this.seal({ linkId, accountId, kind, identity });
    return this.database.transaction(async (tx) => {
      await effect(tx);
      await this.enqueue(tx, [message], requestId);
      const [row] = await tx.query<{ now: number }>(readClock);
      return row?.now as number;
    });
  }

  /**
   * Enqueues messages with the commit of this transaction. They expire at `expiresAt` in epoch seconds, or for null with
   * the link, after 7 days at most. Throws MESSAGES_EXHAUSTED once the account has reached its hourly limit; roll the transaction back then.
   */
  async enqueue(
    tx: Transaction,
    messages: readonly SealedMessage[],
    requestId: string | null,
    expiresAt: number | null = null,
  ): Promise<void> {
    await this.counts.add(tx, messages);
    for (const message of messages) await this.#insert(tx, message, requestId, expiresAt);
  }

  /** As `enqueue`, for a message to the owner that no visitor may suppress by exhausting the limit. */
  async enqueueUncounted(
    tx: Transaction,
    message: SealedMessage,
    requestId: string | null,
    expiresAt: number,
  ): Promise<void> {
    await this.#insert(tx, message, requestId, expiresAt);
  }

  /** Throws as `enqueue`, and neither counts nor enqueues the message: it must fail alike although it is not sent. */
  assertWithinLimit(tx: Transaction, message: SealedMessage): Promise<void> {
    return this.counts.assertWithinLimit(tx, message);
  }

  async #insert(
    tx: Transaction,
    { linkId, accountId, kind, channel, kid, sealed }: SealedMessage,
    requestId: string | null,
    expiresAt: number | null,
  ): Promise<void> {
    const id = randomUUID();
    await tx.query(insertMessage, [id, linkId, kind, kid, sealed, expiresAt]);
    const payload = { account_id: accountId, message_id: id, kind, channel };
    await this.outbox.publish(tx, messageOwed, payload, { requestId, accountId });
  }
}

// `least` ignores the NULL of a link that never expires.
const insertMessage = statement(
  'sparks.insert-message',
  `INSERT INTO link_messages (id, link_id, kind, kid, sealed, expires_at)
   SELECT $1, id, $3, $4, $5, coalesce(to_timestamp($6::bigint), least(expires_at, now() + interval '${LIFETIME_DAYS} days'))
     FROM sparklinks WHERE id = $2`,
);

const readClock = statement('sparks.read-clock', `SELECT ${epochSeconds('now()', 'now')}`);
