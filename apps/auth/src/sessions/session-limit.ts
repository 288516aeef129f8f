import { Injectable } from '@nestjs/common';
import type { CallContext } from '@vaultsvc/contracts';
import type { Transaction } from '@vaultsvc/database';
import { SessionIssuer } from './session-issuer.js';
import { SessionRecordWriter } from './session-record-writer.js';
import { SessionRepository, type SessionOwner } from './session.repository.js';

/** Live sessions of one user, or of an identity without a user. */
export const LIVE_SESSIONS_MAX = 100;

/** Bounds the live sessions of one person: beyond the limit, opening a session ends the oldest. */
@Injectable()
export class SessionLimit {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly issuer: SessionIssuer,
    private readonly records: SessionRecordWriter,
  ) {}

  /** Call it in the transaction that opened a session: it has locked the identity, so sign-ins of one person are serialized. */
  async enforce(tx: Transaction, owner: SessionOwner, context: CallContext): Promise<void> {
    const surplus = await this.sessions.olderThanNewest(tx, owner, LIVE_SESSIONS_MAX);
    if (surplus.length === 0) return;
    for (const id of surplus) await this.issuer.end(tx, { id, owner }, context);
    tx.afterCommit(() => this.records.renew(surplus));
  }
}
