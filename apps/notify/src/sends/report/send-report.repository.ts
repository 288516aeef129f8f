import { Injectable } from '@nestjs/common';
import type { Conversation, DeliveryReport, SendStatus, SendSummary } from '@vaultsvc/contracts/notify';
import { Database, epochSeconds, readPosition, statement, toPage, type Page } from '@vaultsvc/database';

/** A recipient as it is stored; its grant is read from sparks. */
export interface ReportedRecipient {
  readonly id: string;
  readonly recipient: string;
  /** null: the content was in the message itself. */
  readonly link_id: string | null;
  readonly seen_at: number | null;
  readonly actions: string[];
  readonly deliveries: DeliveryReport[];
}

/** Reads of sends, of their own account only (NTF-33). */
@Injectable()
export class SendReportRepository {
  constructor(private readonly database: Database) {}

  async list(accountId: string, limit: number, cursor: string | undefined): Promise<Page<SendSummary>> {
    const position = readPosition(cursor, 2);
    const values = [accountId, limit + 1, position?.[0] ?? null, position?.[1] ?? null];
    const rows = await this.database.query<SendRow>(listSends, values);
    const page = toPage(rows, limit, ({ sort_key, id }) => [sort_key, id]);
    return { ...page, rows: page.rows.map(summaryOf) };
  }

  /** The sends that ask for a reply. */
  async listConversations(
    accountId: string,
    limit: number,
    cursor: string | undefined,
  ): Promise<Page<Conversation>> {
    const position = readPosition(cursor, 2);
    const values = [accountId, limit + 1, position?.[0] ?? null, position?.[1] ?? null];
    const rows = await this.database.query<ConversationRow>(listConversations, values);
    const page = toPage(rows, limit, ({ sort_key, id }) => [sort_key, id]);
    return { ...page, rows: page.rows.map(conversationOf) };
  }

  async findConversation(accountId: string, sendId: string): Promise<Conversation | undefined> {
    const [row] = await this.database.query<ConversationRow>(findConversation, [accountId, sendId]);
    return row && conversationOf(row);
  }

  async find(accountId: string, sendId: string): Promise<{ id: string; summary: SendSummary } | undefined> {
    const [row] = await this.database.query<SendRow>(findSend, [accountId, sendId]);
    return row && { id: row.id, summary: summaryOf(row) };
  }

  /** In the order of the request. */
  recipientsOf(id: string): Promise<ReportedRecipient[]> {
    return this.database.query<ReportedRecipient>(readRecipients, [id]);
  }
}

interface SendRow extends Omit<SendSummary, 'status'> {
  readonly id: string;
  readonly sort_key: string;
  readonly reached: number;
  readonly open: number;
  readonly tried: number;
}

interface ConversationRow extends SendRow {
  readonly reply_count: number;
}

function conversationOf({ reply_count, ...row }: ConversationRow): Conversation {
  return { ...summaryOf(row), reply_count };
}

function summaryOf({ id: _id, sort_key: _sortKey, reached, open, tried, ...summary }: SendRow): SendSummary {
  return { ...summary, status: statusOf(summary.recipients, { reached, open, tried }) };
}

/**
 * The status follows from the deliveries (NTF-38). A later step of a recipient who was reached is not waited for; one of a
 * recipient who was not is.
 */
export function statusOf(
  recipients: number,
  { reached, open, tried }: { reached: number; open: number; tried: number },
): SendStatus {
  if (open > 0) return tried > 0 ? 'delivering' : 'pending';
  if (reached === recipients) return 'delivered';
  return reached > 0 ? 'partial' : 'failed';
}

/** Each recipient once: reached (a message was sent, or the link was opened), or with work that may still reach it. */
const STATE = `
  SELECT count(*) FILTER (WHERE r.is_reached)::int AS reached,
         count(*) FILTER (WHERE r.has_due OR (r.has_open AND NOT r.is_reached))::int AS open,
         count(*) FILTER (WHERE r.is_tried)::int AS tried,
         count(*) FILTER (WHERE r.is_seen)::int AS seen
    FROM (SELECT bool_or(m.outcome = 'sent') OR r.seen_at IS NOT NULL AS is_reached,
                 r.seen_at IS NOT NULL AS is_seen,
                 bool_or(m.closed_at IS NULL) AS has_open,
                 bool_or(m.closed_at IS NULL AND m.step = 0) AS has_due,
                 bool_or(m.closed_at IS NOT NULL OR m.attempts > 0) AS is_tried
            FROM recipients r JOIN messages m ON m.recipient = r.id
           WHERE r.send = s.id GROUP BY r.id) AS r`;

const SHOWN = `s.id, s.send_id, s.recipient_count AS recipients, s.title, s.category, s.type, s.channels,
          ${epochSeconds('s.created_at')}, ${epochSeconds('s.expires_at')}, s.created_at::text AS sort_key,
          state.seen, coalesce(state.reached, 0) AS reached, state.open, state.tried`;

const pageOf = (shown: string, condition: string) =>
  `SELECT ${shown}
     FROM (SELECT * FROM sends
            WHERE account_id = $1 AND state = 'accepted'${condition}
              AND ($3::text IS NULL OR (created_at, id) < ($3::timestamptz, $4::uuid))
            ORDER BY created_at DESC, id DESC LIMIT $2) AS s, LATERAL (${STATE}) AS state
    ORDER BY s.created_at DESC, s.id DESC`;

const listSends = statement('notify.list-sends', pageOf(SHOWN, ''));

const REPLIES = `(SELECT count(*)::int FROM recipients r JOIN interactions i ON i.recipient = r.id AND i.action = 'reply'
            WHERE r.send = s.id) AS reply_count`;

const listConversations = statement(
  'notify.list-conversations',
  pageOf(`${SHOWN}, ${REPLIES}`, ` AND interaction = 'reply'`),
);

const findConversation = statement(
  'notify.find-conversation',
  `SELECT ${SHOWN}, ${REPLIES} FROM sends s, LATERAL (${STATE}) AS state
    WHERE s.account_id = $1 AND s.send_id = $2 AND s.state = 'accepted' AND s.interaction = 'reply'`,
);

const findSend = statement(
  'notify.find-send-report',
  `SELECT ${SHOWN} FROM sends s, LATERAL (${STATE}) AS state
    WHERE s.account_id = $1 AND s.send_id = $2 AND s.state = 'accepted'`,
);

/** `last_error` of a skipped delivery is the reason. */
const readRecipients = statement(
  'notify.read-recipients',
  `SELECT r.id, r.label AS recipient, r.link_id, ${epochSeconds('r.seen_at', 'seen_at')},
          coalesce((SELECT jsonb_agg(i.action ORDER BY i.at, i.id) FROM interactions i WHERE i.recipient = r.id), '[]') AS actions,
          (SELECT jsonb_agg(jsonb_build_object(
                    'delivery_id', m.id, 'channel', m.channel, 'step', m.step, 'attempts', m.attempts,
                    'reason', m.last_error, 'provider_id', m.provider_id,
                    'state', CASE WHEN m.outcome = 'sent' THEN 'sent'
                                  WHEN m.outcome = 'obsolete' THEN 'skipped'
                                  WHEN m.outcome = 'unconfigured' THEN 'unconfigured'
                                  WHEN m.closed_at IS NOT NULL THEN 'failed'
                                  WHEN m.attempts = 0 AND m.next_attempt_at > now() THEN 'scheduled'
                                  ELSE 'queued' END,
                    'due_at', CASE WHEN m.closed_at IS NULL THEN floor(extract(epoch FROM m.next_attempt_at))::bigint END,
                    'sent_at', CASE WHEN m.outcome = 'sent' THEN floor(extract(epoch FROM m.closed_at))::bigint END)
                  ORDER BY m.step, m.channel)
             FROM messages m WHERE m.recipient = r.id) AS deliveries
     FROM recipients r WHERE r.send = $1 ORDER BY r.position`,
);
