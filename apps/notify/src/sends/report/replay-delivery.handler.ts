import { Controller } from '@nestjs/common';
import { AppError, type AccountContext, type Input } from '@vaultsvc/contracts';
import { notifyChannels, replayDelivery, type ReplayedDelivery } from '@vaultsvc/contracts/notify';
import { Database, statement } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { MessageWaker } from '../../messages/message-waker.js';
import { ConfiguredChannels } from '../../messages/configured-channels.js';
import { SendReportRepository } from './send-report.repository.js';

@Controller()
export class ReplayDelivery {
  constructor(
    private readonly database: Database,
    private readonly reports: SendReportRepository,
    private readonly channels: ConfiguredChannels,
    private readonly waker: MessageWaker,
  ) {}

  @Handles(replayDelivery)
  async handle({ params }: Input<typeof replayDelivery>, context: AccountContext): Promise<ReplayedDelivery> {
    const { send_id, delivery_id } = params;
    const found = await this.reports.find(context.credential.accountId, send_id);
    if (!found) throw new AppError('SEND_NOT_FOUND');
    const configured = notifyChannels.filter((channel) => this.channels.has(channel));
    const values = [found.id, delivery_id, configured];
    const [replayed] = await this.database.query<{ is_reopened: boolean }>(replay, values);
    if (!replayed) throw new AppError('DELIVERY_NOT_FOUND');
    if (!replayed.is_reopened) throw new AppError('DELIVERY_NOT_FAILED');
    this.waker.wake();
    return { delivery_id, state: 'queued' };
  }
}

/** One statement reopens a delivery that has failed and whose channel is configured; the id as text, because any text may be asked for. */
const replay = statement(
  'notify.replay-delivery',
  `WITH found AS (
     SELECT m.id, m.outcome, r.seen_at IS NULL AND s.expires_at > now() AS is_open
       FROM messages m JOIN recipients r ON r.id = m.recipient JOIN sends s ON s.id = r.send
      WHERE s.id = $1 AND m.id::text = $2),
   reopened AS (
     UPDATE messages m
        SET outcome = NULL, closed_at = NULL, attempts = 0, lost_answers = 0, first_tried_at = NULL, next_attempt_at = now()
       FROM found
      WHERE m.id = found.id AND found.is_open
        AND m.outcome IN ('refused', 'expired', 'unconfirmed', 'unconfigured') AND m.channel = ANY ($3::text[])
      RETURNING m.id)
   SELECT EXISTS (SELECT 1 FROM reopened) AS is_reopened FROM found`,
);
