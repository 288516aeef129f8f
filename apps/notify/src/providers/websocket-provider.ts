import { Injectable } from '@nestjs/common';
import { FeedRepository } from '../feed/feed.repository.js';
import type { NotificationProvider, OutgoingNotification } from './provider.js';

/** The websockets of the sender's application: a message is delivered once it has a position in the feed (NTF-44). */
@Injectable()
export class WebsocketProvider implements NotificationProvider {
  readonly channel = 'websocket';
  readonly concurrency = 4;
  readonly ratePerSecond = Infinity;

  constructor(private readonly feed: FeedRepository) {}

  missingSettings(): string[] {
    return [];
  }

  async send({ deliveryId }: OutgoingNotification): Promise<string> {
    return String(await this.feed.append(deliveryId));
  }
}
