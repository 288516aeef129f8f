import { Controller } from '@nestjs/common';
import type { Input } from '@vaultsvc/contracts';
import {
  describeActor,
  describeActors,
  type ActorDescription,
  type NamedActor,
  type NamedActors,
} from '@vaultsvc/contracts/auth';
import { Database, statement } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { IS_USER } from '../accounts/user-state.js';

/** Returns the display names of an account's users and API keys to other services. */
@Controller()
export class DescribeActor {
  constructor(private readonly database: Database) {}

  @Handles(describeActor)
  async handle({ body }: Input<typeof describeActor>): Promise<ActorDescription> {
    const find = body.kind === 'user' ? findAddress : findKeyName;
    const [found] = await this.database.query<{ label: string }>(find, [body.account_id, body.actor_id]);
    return { label: found?.label ?? null };
  }

  @Handles(describeActors)
  async handleAll({ body }: Input<typeof describeActors>): Promise<NamedActors> {
    return { actors: await this.database.query<NamedActor>(findNames, [body.account_id, body.actor_ids]) };
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

const findNames = statement(
  'auth.find-names-of-actors',
  `SELECT u.id AS actor_id, u.email AS label FROM users u WHERE u.account_id = $1 AND u.id = ANY($2::text[]) AND ${IS_USER}
   UNION ALL
   SELECT id, name FROM api_keys WHERE account_id = $1 AND id = ANY($2::text[])`,
);
