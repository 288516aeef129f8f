import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import {
  grantsRecalled,
  sendAccepted,
  type AcceptedSending,
  type RecalledGrants,
} from '@vaultsvc/contracts/notify';
import {
  Database,
  runInBatches,
  namedStatement,
  statement,
  type Queryable,
  type Statement,
  type Transaction,
} from '@vaultsvc/database';
import { directoryKeyOf, type Recipient } from '../recipients/recipient.js';
import type { PlannedDelivery } from './delivery-plan.js';
import type { SendTerms } from './send-terms.js';

/** Longer than any call: after these seconds the instance that was sealing has died. */
const LEASE_SECONDS = 30;

/** A send whose grants do not all exist yet. */
export interface ReservedSend {
  readonly id: string;
  readonly accountId: string;
}

/** A recipient with its grant; without one if the content is in the message itself. */
export interface StoredRecipient extends Recipient {
  readonly linkId: string | null;
  readonly assetId: string | null;
}

/** The actor of a send, for the audit log. */
export type SendActor = Pick<AcceptedSending, 'actor_type' | 'actor_id' | 'actor'>;

/** The send that has this id already. */
export interface ExistingSend {
  readonly state: 'sealing' | 'accepted';
  readonly recipients: number;
}

/** A planned delivery; `isConfigured`: its channel has credentials. */
export interface NewDelivery extends PlannedDelivery {
  readonly isConfigured: boolean;
}

/**
 * Sends from their reservation to their acceptance. The unique id of a send in its account decides which of several calls
 * sends (NTF-21). A reservation records the grants that will be minted; if the send fails, or its instance dies, one statement
 * deletes the reservation and has sparks recall them (NTF-29).
 */
@Injectable()
export class SendRepository {
  readonly #logger = new Logger('sends');

  constructor(private readonly database: Database) {}

  /** Undefined if the account has a send with this id. */
  async reserve(
    terms: SendTerms,
    grants: RecalledGrants,
    organizationName: string,
    requestId: string,
    tx: Queryable = this.database,
  ): Promise<ReservedSend | undefined> {
    const id = randomUUID();
    const { accountId, sendId, title, category, type, policy, channels, recipients } = terms;
    const values = reserve.valuesOf({
      id,
      accountId,
      sendId,
      grants: JSON.stringify(grants),
      requestId,
      organizationName,
      title,
      category,
      type,
      level: policy.verification_level,
      interaction: policy.interaction,
      channels,
      recipients: recipients.length,
      ttlSeconds: terms.ttlSeconds,
      historyDays: terms.historyDays,
    });
    const [row] = await tx.query<{ id: string }>(reserve, values);
    return row && { id, accountId };
  }

  async find(accountId: string, sendId: string): Promise<ExistingSend | undefined> {
    const [row] = await this.database.query<ExistingSend>(findSend, [accountId, sendId]);
    return row;
  }

  /**
   * In the transaction that inserts recipients and deliveries, with the event for the audit log. Throws when the reservation was
   * abandoned before.
   */
  async accept(tx: Transaction, { id }: ReservedSend, expiresAt: number, actor: SendActor): Promise<void> {
    if ((await tx.query(accept, [id, expiresAt, JSON.stringify(actor)])).length === 0)
      throw new Error('the reservation of this send was abandoned');
  }

  async insertRecipients(
    tx: Queryable,
    send: ReservedSend,
    recipients: readonly StoredRecipient[],
    plan: readonly NewDelivery[],
  ): Promise<void> {
    const values = insertRecipients.valuesOf({
      send: send.id,
      accountId: send.accountId,
      labels: recipients.map(({ label }) => label),
      directoryKeys: recipients.map(directoryKeyOf),
      emails: recipients.map(({ email }) => email),
      phones: recipients.map(({ phone }) => phone),
      linkIds: recipients.map(({ linkId }) => linkId),
      assetIds: recipients.map(({ assetId }) => assetId),
      channels: plan.map(({ channel }) => channel),
      steps: plan.map(({ step }) => step),
      delays: plan.map(({ delaySeconds }) => delaySeconds),
      areConfigured: plan.map(({ isConfigured }) => isConfigured),
    });
    await tx.query(insertRecipients, values);
  }

  /** Deletes the reservation of a send that was refused before any of its grants existed. Never fails, as `abandon`. */
  cancel(reserved: ReservedSend): Promise<void> {
    return this.#end(cancel, reserved);
  }

  /**
   * Deletes the reservation and recalls its grants. Does nothing once the send was accepted. Never fails: `abandonExpired`
   * recalls what this cannot.
   */
  abandon(reserved: ReservedSend): Promise<void> {
    return this.#end(abandonOne, reserved);
  }

  async #end(ending: Statement, { id }: ReservedSend): Promise<void> {
    try {
      await this.database.query(ending, [id]);
    } catch (error) {
      this.#logger.warn({ msg: 'the grants of a failed send will be recalled later', send: id, err: error });
    }
  }

  /** Abandons the reservations of dead instances. Safe on any number of instances. */
  async abandonExpired(): Promise<void> {
    await runInBatches(this.database, abandonExpired);
  }

  /** Deletes sends whose history has ended, with their recipients, deliveries and receipts. */
  async purge(): Promise<void> {
    await runInBatches(this.database, purge);
  }
}

interface SendInsert extends Pick<
  SendTerms,
  'accountId' | 'sendId' | 'title' | 'category' | 'type' | 'channels'
> {
  readonly id: string;
  /** JSON. */
  readonly grants: string;
  readonly requestId: string;
  readonly organizationName: string;
  readonly level: string;
  readonly interaction: string;
  readonly recipients: number;
  readonly ttlSeconds: number;
  readonly historyDays: number;
}

const reserve = namedStatement<SendInsert>(
  'notify.reserve-send',
  (v) => `
   INSERT INTO sends (id, account_id, send_id, lease_until, grants, request_id, organization_name, title, category, type,
                      verification_level, interaction, channels, recipient_count, expires_at, purge_at)
   VALUES (${v.id}, ${v.accountId}, ${v.sendId}, now() + interval '${LEASE_SECONDS} seconds', ${v.grants}, ${v.requestId},
           ${v.organizationName}, ${v.title}, ${v.category}, ${v.type}, ${v.level}, ${v.interaction}, ${v.channels}::text[],
           ${v.recipients}, now() + make_interval(secs => ${v.ttlSeconds}), now() + make_interval(days => ${v.historyDays}))
   ON CONFLICT (account_id, send_id) DO NOTHING RETURNING id`,
);

const findSend = statement(
  'notify.find-send',
  `SELECT state, recipient_count AS recipients FROM sends WHERE account_id = $1 AND send_id = $2`,
);

const accept = statement(
  'notify.accept-send',
  `WITH accepted AS (
     UPDATE sends SET state = 'accepted', lease_until = NULL, grants = NULL, expires_at = to_timestamp($2)
      WHERE id = $1 AND state = 'sealing'
     RETURNING id, account_id, send_id, channels, recipient_count, request_id),
   event AS (
     INSERT INTO outbox (name, account_id, request_id, payload)
     SELECT '${sendAccepted.name}', account_id, request_id,
            $3::jsonb || jsonb_build_object('account_id', account_id, 'send_id', send_id, 'channels', to_jsonb(channels),
                                            'recipient_count', recipient_count)
       FROM accepted)
   SELECT id FROM accepted`,
);

/** Columns of recipients, and of planned deliveries. */
interface RecipientsInsert {
  readonly send: string;
  readonly accountId: string;
  readonly labels: readonly string[];
  readonly directoryKeys: readonly string[];
  readonly emails: readonly Recipient['email'][];
  readonly phones: readonly Recipient['phone'][];
  readonly linkIds: readonly StoredRecipient['linkId'][];
  readonly assetIds: readonly StoredRecipient['assetId'][];
  readonly channels: readonly PlannedDelivery['channel'][];
  readonly steps: readonly number[];
  readonly delays: readonly number[];
  readonly areConfigured: readonly boolean[];
}

/** A message for each recipient and planned delivery; those of unconfigured channels are closed at once (NTF-43). */
const insertRecipients = namedStatement<RecipientsInsert>(
  'notify.insert-recipients',
  (v) => `
   WITH added AS (
     INSERT INTO recipients (id, send, position, account_id, label, directory_key, email, phone, link_id, asset_id)
     SELECT gen_random_uuid(), ${v.send}::uuid, position, ${v.accountId}, label, directory_key, email, phone, link_id, asset_id
       FROM unnest(${v.labels}::text[], ${v.directoryKeys}::text[], ${v.emails}::text[], ${v.phones}::text[],
                   ${v.linkIds}::uuid[], ${v.assetIds}::text[]) WITH ORDINALITY
            AS r (label, directory_key, email, phone, link_id, asset_id, position)
     RETURNING id)
   INSERT INTO messages (id, kind, channel, subject_id, account_id, request_id, recipient, step, next_attempt_at, outcome, closed_at)
   SELECT gen_random_uuid(), 'notification', d.channel, added.id::text, ${v.accountId}, s.request_id, added.id, d.step,
          now() + d.delay * interval '1 second',
          CASE WHEN d.is_configured THEN NULL ELSE 'unconfigured' END,
          CASE WHEN d.is_configured THEN NULL ELSE now() END
     FROM added, sends s,
          unnest(${v.channels}::text[], ${v.steps}::int[], ${v.delays}::float8[], ${v.areConfigured}::boolean[])
            AS d (channel, step, delay, is_configured)
    WHERE s.id = ${v.send}::uuid`,
);

const cancel = statement('notify.cancel-send', `DELETE FROM sends WHERE id = $1 AND state = 'sealing'`);

const abandonWhere = (condition: string) => `
  WITH abandoned AS (DELETE FROM sends WHERE state = 'sealing' AND ${condition} RETURNING account_id, request_id, grants)
  INSERT INTO outbox (name, account_id, request_id, payload)
  SELECT '${grantsRecalled.name}', account_id, request_id, grants FROM abandoned
  RETURNING name`;

const abandonOne = statement('notify.abandon-send', abandonWhere('id = $1'));

const abandonExpired = statement(
  'notify.abandon-expired-sends',
  abandonWhere(`id IN (
    SELECT id FROM sends WHERE state = 'sealing' AND lease_until <= now()
     ORDER BY lease_until LIMIT $1 FOR UPDATE SKIP LOCKED)`),
);

const purge = statement(
  'notify.purge-sends',
  `DELETE FROM sends WHERE id IN (
     SELECT id FROM sends WHERE purge_at <= now() AND state = 'accepted' ORDER BY purge_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);
