import { Controller } from '@nestjs/common';
import type { Input } from '@vaultsvc/contracts';
import { drawMessages, type DrawnMessages } from '@vaultsvc/contracts/sparks';
import { Database } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { MessageCountRepository } from './message-count.repository.js';

/** Counts the messages of sends together with those about links (OPEN-32). */
@Controller()
export class DrawMessages {
  constructor(
    private readonly counts: MessageCountRepository,
    private readonly database: Database,
  ) {}

  @Handles(drawMessages)
  async handle({ body }: Input<typeof drawMessages>): Promise<DrawnMessages> {
    const { account_id: accountId, mails: email, texts: phone, others: other } = body;
    await this.database.transaction((tx) => this.counts.draw(tx, accountId, { email, phone, other }));
    return {};
  }
}
