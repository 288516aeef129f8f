import { Injectable } from '@nestjs/common';
import { NotifyConfig } from '../config.js';
import { obsolete, sent, type DeliveryResult } from '../deliveries/delivery-result.js';
import { NotificationChannels } from '../deliveries/notification-channels.js';
import type { Channel } from '../messages/channel.js';
import type { ClaimedMessage } from '../messages/message.repository.js';
import { MailComposer } from './mail-composer.js';
import { missingMailSettings } from './missing-mail-settings.js';
import { CONNECTIONS_MAX, SmtpEmail } from './smtp-email.js';

/** Composes messages and sends them by e-mail. */
@Injectable()
export class EmailChannel implements Channel {
  readonly name = 'email';
  readonly concurrency = CONNECTIONS_MAX;

  constructor(
    private readonly config: NotifyConfig,
    private readonly composer: MailComposer,
    private readonly smtp: SmtpEmail,
    private readonly notifications: NotificationChannels,
  ) {}

  missingSettings(): string[] {
    return missingMailSettings(this.config);
  }

  async deliver(message: ClaimedMessage): Promise<DeliveryResult> {
    if (message.kind === 'notification') return this.notifications.email.deliver(message);
    const email = await this.composer.compose(message);
    if (!email) return obsolete;
    await this.smtp.send(email);
    return sent;
  }
}
