import { Controller } from '@nestjs/common';
import type { ContextOf, Input } from '@vaultsvc/contracts';
import { listUsers, type UserPage } from '@vaultsvc/contracts/auth';
import { readPosition, toPage } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { UserRepository } from './user.repository.js';

@Controller()
export class ListUsers {
  constructor(private readonly users: UserRepository) {}

  @Handles(listUsers)
  async handle({ query }: Input<typeof listUsers>, context: ContextOf<typeof listUsers>): Promise<UserPage> {
    const after = readPosition(query.cursor, 2);
    const fetched = await this.users.list(context.credential.accountId, query.limit, after);
    const { rows, ...page } = toPage(fetched, query.limit, (row) => [row.position, row.user_id]);
    return { users: [...rows], ...page };
  }
}
