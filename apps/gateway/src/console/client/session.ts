import { BrowserSession, createClient, type Client, type OpenedSession } from '@vaultsvc/client';
import type { SignInSession } from '@vaultsvc/contracts/auth';
import { pageCalls } from '../../page-client/page-calls.js';

/** The session of the person, and the client that makes calls in it. */
export class Session {
  readonly client: Client;
  readonly #session = new BrowserSession(pageCalls);

  /** `onEnded` is called when a call shows that the session has ended. */
  constructor(onEnded: () => void) {
    const session = this.#session;
    this.client = createClient({
      ...pageCalls,
      session: {
        accessToken: () => session.accessToken(),
        renewAfter: async (refused) => {
          const renewed = await session.renewAfter(refused);
          if (renewed === undefined) onEnded();
          return renewed;
        },
      },
    });
  }

  /** Resumes the session of the cookie. 401: there is none. */
  resume(): Promise<SignInSession & OpenedSession> {
    return this.#session.replace('/v1/auth/refresh');
  }

  end(): Promise<void> {
    return this.#session.end();
  }
}
