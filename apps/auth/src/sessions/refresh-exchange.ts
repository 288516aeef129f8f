import { Inject, Injectable, Logger } from '@nestjs/common';
import type { CallContext } from '@vaultsvc/contracts';
import { sessionReplayed } from '@vaultsvc/contracts/auth';
import { Database, type Transaction } from '@vaultsvc/database';
import { GenerationRepository, type GenerationState } from './generation.repository.js';
import type { GenuineRefreshToken } from './refresh-tokens.js';
import { Sessions } from './sessions.js';

/** The generation to answer, or why there is none. */
export type Exchange =
  | { readonly outcome: 'exchanged'; readonly generation: number }
  | { readonly outcome: 'dead' }
  | { readonly outcome: 'replayed' };

const DEAD: Exchange = { outcome: 'dead' };

/** Exchanges a genuine refresh token, one caller of a family at a time (security.md 2.4, RFC 9700 section 4.14.2). */
@Injectable()
export class RefreshExchange {
  readonly #logger = new Logger('sessions');

  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(GenerationRepository) private readonly generations: GenerationRepository,
    @Inject(Sessions) private readonly sessions: Sessions,
  ) {}

  /** Returns instead of throwing, because the end of a replayed family must be committed. */
  exchange(token: GenuineRefreshToken, context: CallContext): Promise<Exchange> {
    return this.database.transaction(async (tx) => {
      const state = await this.generations.lock(tx, token.family.id, token.generation);
      if (!state?.alive) return DEAD;
      if (token.generation === state.head) return this.#advance(tx, token);
      if (token.generation < state.head && state.retryable) return this.#repeat(tx, token, state);
      return this.#endReplayed(tx, token, state, context);
    });
  }

  async #advance(tx: Transaction, { family }: GenuineRefreshToken): Promise<Exchange> {
    return { outcome: 'exchanged', generation: await this.generations.advance(tx, family.id) };
  }

  /**
   * Two tabs share one cookie jar, and the answer that arrives last must leave a live token in it, so both are given
   * the same one. A caller that keeps its token itself gets the next generation (AUTH-21).
   */
  async #repeat(tx: Transaction, token: GenuineRefreshToken, { head }: GenerationState): Promise<Exchange> {
    if (token.family.delivery === 'cookie') return { outcome: 'exchanged', generation: head };
    return this.#advance(tx, token);
  }

  async #endReplayed(
    tx: Transaction,
    { family, generation }: GenuineRefreshToken,
    { head }: GenerationState,
    context: CallContext,
  ): Promise<Exchange> {
    await this.sessions.end(tx, family, context, sessionReplayed);
    const facts = { session: family.id, generation, head };
    if (generation > head)
      this.#logger.error({ msg: 'a refresh token from the future: was an old backup restored?', ...facts });
    else this.#logger.warn({ msg: 'a refresh token was replayed, its session has been ended', ...facts });
    return { outcome: 'replayed' };
  }
}
