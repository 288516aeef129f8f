import { Controller, Logger } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import { eventsConsumedBy } from '@vaultsvc/contracts/catalog';
import type { Transaction } from '@vaultsvc/database';
import { ConsumesRepeats } from '@vaultsvc/messaging';
import { Counter } from 'prom-client';
import { entriesOf } from '../ledger/ledger-entries.js';
import { LedgerRepository } from '../ledger/ledger.repository.js';
import { OwnAccounts } from '../shards/own-accounts.js';

const alteredEvents = new Counter({
  name: 'vaultsvc_events_altered_total',
  help: 'Events that were delivered again with another use of an account than the ledger has recorded, by publisher. The ledger keeps the first; the publisher is at fault.',
  labelNames: ['source'],
});

/**
 * Compares repeated deliveries with the ledger: the same event with another content would otherwise be dropped unseen. The
 * first delivery counts. Repeats are rare, so the comparison may cost a query; fresh events cost nothing.
 */
@Controller()
export class OnRepeatedEvents {
  readonly #logger = new Logger('ledger');

  constructor(
    private readonly own: OwnAccounts,
    private readonly ledger: LedgerRepository,
  ) {}

  @ConsumesRepeats(...eventsConsumedBy('reporting'))
  async compare(deliveries: readonly Delivery[], tx: Transaction): Promise<void> {
    const altered = new Set(await this.ledger.findAltered(tx, this.own.of(deliveries.flatMap(entriesOf))));
    for (const { id, name } of deliveries.filter(({ id }) => altered.has(id))) {
      this.#logger.error({ msg: 'an event was delivered again with another content', eventId: id, name });
      alteredEvents.inc({ source: name.slice(0, name.indexOf('.')) });
    }
  }
}
