import { Injectable } from '@nestjs/common';
import { feedGrown } from '@vaultsvc/contracts/notify';
import { Signals } from '@vaultsvc/messaging';
import { FeedRepository } from '../feed/feed.repository.js';
import type { NotificationProvider, OutgoingNotification } from './provider.js';

/** The websockets of the sender's application: a message is delivered once it has a position in the feed (NTF-44). */
@Injectable()
export class WebsocketProvider implements NotificationProvider {
  readonly channel = 'websocket';
  readonly concurrency = 4;
  readonly ratePerSecond = Infinity;

  constructor(
    private readonly feed: FeedRepository,
    private readonly signals: Signals,
  ) {}

  missingSettings(): string[] {
    return [];
  }

  async send({ deliveryId }: OutgoingNotification): Promise<string> {
    const { accountId, position } = await this.feed.append(deliveryId);
    this.signals.send(feedGrown, accountId);
    return String(position);
  }
}
