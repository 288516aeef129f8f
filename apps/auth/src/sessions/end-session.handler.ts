import { Controller } from '@nestjs/common';
import type { CallContext, Input } from '@vaultsvc/contracts';
import { endSession } from '@vaultsvc/contracts/auth';
import { Database } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { RefreshTokens } from './refresh-tokens.js';
import { SessionRecordWriter } from './session-record-writer.js';
import { SessionIssuer } from './session-issuer.js';

@Controller()
export class EndSession {
  constructor(
    private readonly database: Database,
    private readonly tokens: RefreshTokens,
    private readonly sessions: SessionIssuer,
    private readonly records: SessionRecordWriter,
  ) {}

  /** Any token of the family ends it, used or not and by either delivery: ending a session discloses nothing (AUTH-26). */
  @Handles(endSession)
  async handle({ body }: Input<typeof endSession>, context: CallContext): Promise<void> {
    const token =
      body.refresh_token === undefined ? undefined : await this.tokens.recognise(body.refresh_token);
    if (!token) return;
    await this.database.transaction((tx) => this.sessions.end(tx, token.family, context));
    // Also when it had ended before, so that a retry repairs the cache after a failure of Redis.
    await this.records.renew([token.family.id]);
  }
}
