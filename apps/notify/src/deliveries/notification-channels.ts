import { Injectable } from '@nestjs/common';
import { ChannelRegistry } from '../providers/channel-registry.js';
import { NotificationChannel } from './notification-channel.js';
import { NotificationSender } from './notification-sender.js';

/** The queues of all channels of notifications. Mails share the queue of other mails (`EmailChannel`). */
@Injectable()
export class NotificationChannels {
  readonly email: NotificationChannel;
  readonly others: readonly NotificationChannel[];

  constructor(registry: ChannelRegistry, sender: NotificationSender) {
    const all = registry.all.map((provider) => new NotificationChannel(provider, sender));
    const email = all.find(({ name }) => name === 'email');
    if (!email) throw new Error('the registry has no provider of e-mail');
    this.email = email;
    this.others = all.filter((channel) => channel !== email);
  }
}
