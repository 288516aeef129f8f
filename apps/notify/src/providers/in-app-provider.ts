import { Injectable } from '@nestjs/common';
import type { NotificationProvider } from './provider.js';

/** The inbox of the sender's application: a message is delivered once it is due, and `GET …/sends/{send_id}` shows its link. */
@Injectable()
export class InAppProvider implements NotificationProvider {
  readonly channel = 'in_app';
  readonly concurrency = 4;
  readonly ratePerSecond = Infinity;

  missingSettings(): string[] {
    return [];
  }

  async send(): Promise<null> {
    return null;
  }
}
