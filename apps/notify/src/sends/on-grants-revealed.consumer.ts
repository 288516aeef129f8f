import { Controller } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import { grantRevealed, type GrantReveal } from '@vaultsvc/contracts/sparks';
import { statement, type Transaction } from '@vaultsvc/database';
import { Consumes } from '@vaultsvc/messaging';

/** Records that recipients have opened their links, and ends their escalation (NTF-15). */
@Controller()
export class OnGrantsRevealed {
  @Consumes(grantRevealed)
  async apply(deliveries: readonly Delivery<GrantReveal>[], tx: Transaction): Promise<void> {
    const reveals = deliveries.map(({ payload }) => payload);
    await tx.query(recordSeen, [
      reveals.map(({ link_id }) => link_id),
      reveals.map(({ revealed_at }) => revealed_at),
    ]);
  }
}

const recordSeen = statement(
  'notify.record-seen',
  `WITH revealed AS (SELECT * FROM unnest($1::uuid[], $2::float8[]) AS v (link_id, at)),
   seen AS (
     UPDATE recipients r SET seen_at = to_timestamp(v.at) FROM revealed v
      WHERE r.link_id = v.link_id AND r.seen_at IS NULL RETURNING r.id)
   UPDATE messages m SET outcome = 'obsolete', closed_at = now(), last_error = 'SEEN'
     FROM seen WHERE m.recipient = seen.id AND m.closed_at IS NULL AND m.step > 0`,
);
