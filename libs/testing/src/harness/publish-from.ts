import type { Event } from '@vaultsvc/contracts';
import { Database } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import type { RunningService } from '@vaultsvc/service';

/** Publishes events through the outbox of a running service, all in one transaction. */
export async function publishFrom<P extends object>(
  { context }: RunningService,
  ...events: readonly (readonly [Event<P>, P])[]
): Promise<void> {
  const outbox = context.get(Outbox);
  await context.get(Database).transaction(async (tx) => {
    for (const [event, payload] of events) await outbox.publish(tx, event, payload, null);
  });
}
