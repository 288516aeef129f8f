import { Injectable } from '@nestjs/common';
import type { MessageKind } from '@vaultsvc/contracts/sparks';
import { Database, epochSeconds, statement } from '@vaultsvc/database';
import type { LinkRow } from '../link/link.repository.js';
import { MessageQueue } from './message-queue.js';

/** MessageQueue that an owner asks for by themselves, with no change of the link. */
@Injectable()
export class Deliveries {
  constructor(
    private readonly database: Database,
    private readonly messages: MessageQueue,
  ) {}

  /** Owes one about this link, and gives the time in epoch seconds. */
  async owe(
    link: LinkRow,
    kind: Exclude<MessageKind, 'code'>,
    identity: string,
    requestId: string,
  ): Promise<number> {
    const { id: linkId, account_id: accountId } = link;
    const message = await this.messages.make({ linkId, accountId, kind, identity });
    return this.database.transaction(async (tx) => {
      await this.messages.owe(tx, [message], requestId);
      const [row] = await tx.query<{ now: number }>(readClock);
      return row?.now as number;
    });
  }
}

const readClock = statement('sparks.read-clock', `SELECT ${epochSeconds('now()', 'now')}`);
