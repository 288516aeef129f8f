import { Controller } from '@nestjs/common';
import type { ContextOf, Input } from '@vaultsvc/contracts';
import { listSessions, type OwnSessionList } from '@vaultsvc/contracts/auth';
import { Handles } from '@vaultsvc/messaging';
import { sessionUserOf } from '../actor.js';
import { OwnSessionRepository } from './own-session.repository.js';

@Controller()
export class ListSessions {
  constructor(private readonly sessions: OwnSessionRepository) {}

  @Handles(listSessions)
  async handle(
    _: Input<typeof listSessions>,
    context: ContextOf<typeof listSessions>,
  ): Promise<OwnSessionList> {
    const { accountId, credentialId } = context.credential;
    const rows = await this.sessions.list(accountId, sessionUserOf(context));
    const sessions = rows.map((row) => ({ ...row, current: row.session_id === credentialId }));
    return { sessions, count: sessions.length };
  }
}
