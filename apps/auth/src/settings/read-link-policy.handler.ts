import { Controller } from '@nestjs/common';
import type { Input } from '@vaultsvc/contracts';
import { readLinkPolicy, type LinkPolicy } from '@vaultsvc/contracts/auth';
import { Database, statement } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';

/** Returns to sparks what an account requires of visitors of its links, and what they may read about it. */
@Controller()
export class ReadLinkPolicy {
  constructor(private readonly database: Database) {}

  @Handles(readLinkPolicy)
  async handle({ body }: Input<typeof readLinkPolicy>): Promise<LinkPolicy> {
    const [policy] = await this.database.query<LinkPolicy>(findPolicy, [body.account_id]);
    return policy ?? { asks_first: false, shows_organization: false, organization_name: '' };
  }
}

// Settings are free-form JSON: only `true` itself counts.
const findPolicy = statement(
  'auth.find-link-policy',
  `SELECT organization_name, coalesce(settings->'links_ask_first' = 'true'::jsonb, false) AS asks_first,
          coalesce(settings->'links_show_organization' = 'true'::jsonb, false) AS shows_organization
     FROM accounts WHERE id = $1`,
);
