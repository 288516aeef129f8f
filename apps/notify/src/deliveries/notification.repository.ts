import { Injectable } from '@nestjs/common';
import type { NotifyChannel } from '@vaultsvc/contracts/notify';
import { Database, epochSeconds, statement } from '@vaultsvc/database';

/** A message of a notification as it is stored, without content and link. */
export interface StoredNotification {
  readonly delivery_id: string;
  readonly channel: NotifyChannel;
  readonly step: number;
  readonly account_id: string;
  readonly send_id: string;
  readonly organization_name: string;
  readonly title: string | null;
  readonly category: string | null;
  readonly type: string | null;
  readonly label: string;
  readonly directory_key: string;
  readonly email: string | null;
  readonly phone: string | null;
  /** null: the content is in the message itself. */
  readonly link_id: string | null;
  readonly is_seen: boolean;
  /** Epoch seconds. */
  readonly expires_at: number;
}

@Injectable()
export class NotificationRepository {
  constructor(private readonly database: Database) {}

  /** Undefined once the send was purged. */
  async read(messageId: string): Promise<StoredNotification | undefined> {
    const [row] = await this.database.query<StoredNotification>(readNotification, [messageId]);
    return row;
  }
}

const readNotification = statement(
  'notify.read-notification',
  `SELECT m.id AS delivery_id, m.channel, m.step, s.account_id, s.send_id, s.organization_name, s.title, s.category, s.type,
          r.label, r.directory_key, r.email, r.phone, r.link_id, r.seen_at IS NOT NULL AS is_seen,
          ${epochSeconds('s.expires_at', 'expires_at')}
     FROM messages m JOIN recipients r ON r.id = m.recipient JOIN sends s ON s.id = r.send
    WHERE m.id = $1`,
);
