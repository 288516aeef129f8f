import { Injectable } from '@nestjs/common';
import type { CallContext } from '@vaultsvc/contracts';
import type { OpenedSession } from '@vaultsvc/contracts/auth';
import { Database, type Transaction } from '@vaultsvc/database';
import { RefreshTokens } from './refresh-tokens.js';
import type { SessionOwner } from './session.repository.js';
import { SessionIssuer } from './session-issuer.js';
import { SessionLimit } from './session-limit.js';

/** Determines the owner of a session in the transaction that opens it. */
export type FindSessionOwner = (tx: Transaction) => Promise<SessionOwner>;

/** A new session with its owner. */
export interface OpenedFor {
  readonly owner: SessionOwner;
  readonly session: OpenedSession;
}

/** Opens a session in the transaction that determines its owner, and returns it for the reply. */
@Injectable()
export class SessionOpener {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionIssuer,
    private readonly limit: SessionLimit,
    private readonly refreshTokens: RefreshTokens,
  ) {}

  /** @throws the error of `decideOwner`, which rolls back, or KmsUnavailable */
  async open(decideOwner: FindSessionOwner, context: CallContext): Promise<OpenedFor> {
    const secret = await this.refreshTokens.newSecret();
    const family = await this.database.transaction(async (tx) => {
      const opened = await this.sessions.open(tx, await decideOwner(tx), secret, context);
      await this.limit.enforce(tx, opened.owner, context);
      return opened;
    });
    return { owner: family.owner, session: await this.sessions.answer(family) };
  }
}
