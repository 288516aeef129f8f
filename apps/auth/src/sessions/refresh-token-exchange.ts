import { Injectable, Logger } from '@nestjs/common';
import type { CallContext } from '@vaultsvc/contracts';
import { sessionReplayed } from '@vaultsvc/contracts/auth';
import { Database } from '@vaultsvc/database';
import { GenerationRepository, type GenerationState } from './generation.repository.js';
import type { AuthenticRefreshToken } from './refresh-tokens.js';
import { SessionIssuer } from './session-issuer.js';

/** The generation to issue, or the reason why there is none. */
export type RefreshOutcome =
  | { readonly outcome: 'exchanged'; readonly generation: number }
  | { readonly outcome: 'dead' }
  | { readonly outcome: 'replayed' };

const DEAD: RefreshOutcome = { outcome: 'dead' };

/**
 * Exchanges an authentic refresh token (ADR 7, RFC 9700 section 4.14.2). Of concurrent exchanges one conditional statement
 * selects the first; all others find the token superseded.
 */
@Injectable()
export class RefreshTokenExchange {
  readonly #logger = new Logger('sessions');

  constructor(
    private readonly database: Database,
    private readonly generations: GenerationRepository,
    private readonly sessions: SessionIssuer,
  ) {}

  /** Returns instead of throwing, because the caller has more to do after a replayed family has ended. */
  async exchange(token: AuthenticRefreshToken, context: CallContext): Promise<RefreshOutcome> {
    const head = await this.generations.advance(token.family.id, token.generation);
    return head === undefined ? this.#again(token, context) : { outcome: 'exchanged', generation: head };
  }

  /** Judges a token that is not the newest of a live family. The result is final: heads only grow, grace periods only end. */
  async #again(token: AuthenticRefreshToken, context: CallContext): Promise<RefreshOutcome> {
    const { family, generation } = token;
    const state = await this.generations.stateOf(family.id, generation);
    if (!state?.alive || generation === state.head) return DEAD;
    if (generation < state.head && state.retryable) return this.#repeat(token, state);
    return this.#endReplayed(token, state, context);
  }

  /**
   * Two tabs share one cookie jar, and the response that arrives last must leave a live token in it, so both get the same
   * token. A client that stores its token itself gets the next generation (AUTH-21).
   */
  async #repeat({ family }: AuthenticRefreshToken, { head }: GenerationState): Promise<RefreshOutcome> {
    if (family.delivery === 'cookie') return { outcome: 'exchanged', generation: head };
    const next = await this.generations.advance(family.id);
    return next === undefined ? DEAD : { outcome: 'exchanged', generation: next };
  }

  async #endReplayed(
    { family, generation }: AuthenticRefreshToken,
    { head }: GenerationState,
    context: CallContext,
  ): Promise<RefreshOutcome> {
    const ended = await this.database.transaction((tx) =>
      this.sessions.end(tx, family, context, sessionReplayed),
    );
    if (!ended) return DEAD;
    const facts = { session: family.id, generation, head };
    if (generation > head)
      this.#logger.error({
        msg: 'refresh token of a future generation: was an old backup restored?',
        ...facts,
      });
    else this.#logger.warn({ msg: 'refresh token replayed, session ended', ...facts });
    return { outcome: 'replayed' };
  }
}
