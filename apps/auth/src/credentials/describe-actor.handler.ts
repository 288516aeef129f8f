import { Controller } from '@nestjs/common';
import type { Input } from '@vaultsvc/contracts';
import { describeActor, type ActorDescription } from '@vaultsvc/contracts/auth';
import { Database, statement } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { IS_USER } from '../users/user-state.js';

/** Returns the display name of an account's user or API key to other services. */
@Controller()
export class DescribeActor {
  constructor(private readonly database: Database) {}

  @Handles(describeActor)
  async handle({ body }: Input<typeof describeActor>): Promise<ActorDescription> {
    const find = body.kind === 'user' ? findAddress : findKeyName;
    const [found] = await this.database.query<{ label: string }>(find, [body.account_id, body.actor_id]);
    return { label: found?.label ?? null };
  }
}

const findAddress = statement(
  'auth.find-address-of-user',
  `SELECT u.email AS label FROM users u WHERE u.account_id = $1 AND u.id = $2 AND ${IS_USER}`,
);

const findKeyName = statement(
  'auth.find-name-of-api-key',
  `SELECT name AS label FROM api_keys WHERE account_id = $1 AND id = $2 AND revoked_at IS NULL`,
);
