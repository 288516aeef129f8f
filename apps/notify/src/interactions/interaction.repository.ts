import { Injectable } from '@nestjs/common';
import { interacted, type RecipientInteraction } from '@vaultsvc/contracts/notify';
import type { Interaction, InteractionAction, VerificationLevel } from '@vaultsvc/contracts/sparks';
import type { SealedText } from '@vaultsvc/crypto/data-keys';
import { Database, epochSeconds, namedStatement, statement } from '@vaultsvc/database';

/** A recipient whose grant was revealed. */
export interface InteractingRecipient {
  readonly id: string;
  readonly account_id: string;
  readonly label: string;
  readonly asset_id: string;
  readonly send_id: string;
  readonly interaction: Interaction;
}

/** A signed receipt before it is stored. */
export interface NewReceipt extends SealedText {
  readonly id: string;
  readonly recipientId: string;
  readonly level: VerificationLevel;
  readonly at: number;
  readonly replySparkId: string | null;
  readonly event: RecipientInteraction;
}

/** A stored receipt; its JWS is sealed, because the hash of a short content would reveal it. */
export interface StoredReceipt extends SealedText {
  readonly id: string;
  readonly recipient_id: string;
  readonly recipient: string;
  readonly action: InteractionAction;
  readonly verification_level: VerificationLevel;
  readonly at: number;
  readonly reply_spark_id: string | null;
}

/** The actions of recipients. Two unique indexes decide: each action once, and of sign, approve and deny the first. */
@Injectable()
export class InteractionRepository {
  constructor(private readonly database: Database) {}

  async findRecipient(linkId: string): Promise<InteractingRecipient | undefined> {
    const [row] = await this.database.query<InteractingRecipient>(findRecipient, [linkId]);
    return row;
  }

  async find(recipientId: string, action: InteractionAction): Promise<StoredReceipt | undefined> {
    const [row] = await this.database.query<StoredReceipt>(findReceipt, [recipientId, action]);
    return row;
  }

  /** Whether this call stored it. False: the same action, or another decision, was stored before. */
  async insert(receipt: NewReceipt): Promise<boolean> {
    const { action, account_id: accountId } = receipt.event;
    const values = insertReceipt.valuesOf({
      ...receipt,
      action,
      accountId,
      event: JSON.stringify(receipt.event),
    });
    return (await this.database.query(insertReceipt, values)).length > 0;
  }

  /** In the order of the actions. */
  list(accountId: string, sendId: string): Promise<StoredReceipt[]> {
    return this.database.query<StoredReceipt>(listReceipts, [accountId, sendId]);
  }

  async hasSend(accountId: string, sendId: string): Promise<boolean> {
    return (await this.database.query(hasSend, [accountId, sendId])).length > 0;
  }
}

const findRecipient = statement(
  'notify.find-interacting-recipient',
  `SELECT r.id, r.account_id, r.label, r.asset_id, s.send_id, s.interaction
     FROM recipients r JOIN sends s ON s.id = r.send WHERE r.link_id = $1`,
);

const RECEIPT = `i.id, i.recipient AS recipient_id, r.label AS recipient, i.action, i.verification_level,
          ${epochSeconds('i.at', 'at')}, i.reply_spark_id, i.data_key_id, i.sealed_receipt AS sealed`;

const findReceipt = statement(
  'notify.find-receipt',
  `SELECT ${RECEIPT} FROM interactions i JOIN recipients r ON r.id = i.recipient WHERE i.recipient = $1 AND i.action = $2`,
);

interface ReceiptInsert extends Omit<NewReceipt, 'event'> {
  readonly action: RecipientInteraction['action'];
  readonly accountId: string;
  /** JSON. */
  readonly event: string;
}

const insertReceipt = namedStatement<ReceiptInsert>(
  'notify.insert-receipt',
  (v) => `
   WITH added AS (
     INSERT INTO interactions (id, recipient, action, verification_level, at, reply_spark_id, data_key_id, sealed_receipt)
     VALUES (${v.id}, ${v.recipientId}, ${v.action}, ${v.level}, to_timestamp(${v.at}), ${v.replySparkId}, ${v.data_key_id}, ${v.sealed})
     ON CONFLICT DO NOTHING RETURNING id),
   event AS (
     INSERT INTO outbox (name, account_id, request_id, payload)
     SELECT '${interacted.name}', ${v.accountId}, id::text, ${v.event}::jsonb FROM added)
   SELECT id FROM added`,
);

const listReceipts = statement(
  'notify.list-receipts',
  `SELECT ${RECEIPT}
     FROM sends s JOIN recipients r ON r.send = s.id JOIN interactions i ON i.recipient = r.id
    WHERE s.account_id = $1 AND s.send_id = $2 ORDER BY i.at, i.id`,
);

const hasSend = statement(
  'notify.has-send',
  `SELECT 1 FROM sends WHERE account_id = $1 AND send_id = $2 AND state = 'accepted'`,
);
