import { Controller } from '@nestjs/common';
import { AppError, type ContextOf, type Input } from '@vaultsvc/contracts';
import { revokeSession } from '@vaultsvc/contracts/auth';
import { Database } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { sessionUserOf } from '../actor.js';
import { OwnSessionRepository } from './own-session.repository.js';
import { SessionIssuer } from './session-issuer.js';
import { SessionRecordWriter } from './session-record-writer.js';

@Controller()
export class RevokeSession {
  constructor(
    private readonly database: Database,
    private readonly owned: OwnSessionRepository,
    private readonly sessions: SessionIssuer,
    private readonly records: SessionRecordWriter,
  ) {}

  /** A session never changes its user, so the check may precede the statement that ends it. */
  @Handles(revokeSession)
  async handle(
    { params }: Input<typeof revokeSession>,
    context: ContextOf<typeof revokeSession>,
  ): Promise<void> {
    const { accountId } = context.credential;
    const [id, userId] = [params.session_id, sessionUserOf(context)];
    if (!(await this.owned.has(accountId, userId, id))) throw new AppError('SESSION_NOT_FOUND');
    const family = { id, owner: { sessionType: 'full', accountId, userId } } as const;
    await this.database.transaction((tx) => this.sessions.end(tx, family, context));
    // Also when it had ended before, so that a retry repairs the cache after a failure of Redis.
    await this.records.renew([id]);
  }
}
