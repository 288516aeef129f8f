import { Injectable } from '@nestjs/common';
import type { LinkDomain } from '@vaultsvc/contracts';
import type { LinkType, MessageKind } from '@vaultsvc/contracts/sparks';
import { Database, epochSeconds, statement } from '@vaultsvc/database';

/** An unexpired message with its active link. */
export interface MessageRow {
  kind: MessageKind;
  kid: string;
  sealed: Buffer;
  expires_at: number;
  link_id: string;
  link_kid: string;
  sealed_code: Buffer;
  account_id: string;
  asset_id: string;
  link_type: LinkType;
  domain: LinkDomain;
  link_expires_at: number | null;
}

@Injectable()
export class LinkMessageRepository {
  constructor(private readonly database: Database) {}

  /** Undefined for an unknown or expired message, and when its link can no longer be opened. */
  async find(messageId: string): Promise<MessageRow | undefined> {
    const [row] = await this.database.query<MessageRow>(findMessage, [messageId]);
    return row;
  }
}

const findMessage = statement(
  'sparks.find-message',
  `SELECT m.kind, m.kid, m.sealed, ${epochSeconds('m.expires_at')},
          l.id AS link_id, l.kid AS link_kid, l.sealed_code, l.account_id, l.asset_id, l.link_type, l.domain,
          ${epochSeconds('l.expires_at', 'link_expires_at')}
     FROM link_messages m JOIN sparklinks l ON l.id = m.link_id
    WHERE m.id = $1 AND m.expires_at > now() AND l.status = 'active' AND (l.expires_at IS NULL OR l.expires_at > now())`,
);
