import { Controller } from '@nestjs/common';
import type { Input } from '@vaultsvc/contracts';
import { describeOwner, type AccountOwner } from '@vaultsvc/contracts/auth';
import { Database, statement } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';

/** Returns to sparks the recipient of messages to the owner of a link, and to integrations who takes over from a removed user. */
@Controller()
export class DescribeOwner {
  constructor(private readonly database: Database) {}

  @Handles(describeOwner)
  async handle({ body }: Input<typeof describeOwner>): Promise<AccountOwner> {
    const [owner] = await this.database.query<{ user_id: string | null; email: string }>(findOwner, [
      body.account_id,
    ]);
    return { user_id: owner?.user_id ?? null, email: owner?.email ?? null };
  }
}

const findOwner = statement(
  'auth.find-owner',
  `SELECT CASE WHEN status = 'active' THEN id END AS user_id, email FROM users
    WHERE account_id = $1 AND role = 'owner' AND (status = 'active' OR (status = 'invited' AND joins_at_sign_in))
    ORDER BY status = 'active' DESC, created_at, id LIMIT 1`,
);
