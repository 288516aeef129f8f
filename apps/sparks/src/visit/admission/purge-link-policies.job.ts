import { Injectable } from '@nestjs/common';
import { Database, runInBatches, statement } from '@vaultsvc/database';

/** Deletes the policies of grants whose links, and the interaction tokens of these, have expired. */
@Injectable()
export class PurgeLinkPolicies {
  readonly everySeconds = 3_600;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    await runInBatches(this.database, purgeLinkPolicies);
  }
}

const purgeLinkPolicies = statement(
  'sparks.purge-link-policies',
  `DELETE FROM link_policies WHERE link_id IN (
     SELECT link_id FROM link_policies WHERE purge_at <= now() ORDER BY purge_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING 1`,
);
