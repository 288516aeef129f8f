import { BrowserSession, createClient, type Client } from '@vaultsvc/client';
import { calls } from './calls.js';
import { stateOf, type SessionState } from './session-state.js';
import type { AuthorizationGrant } from './sign-in.js';
import { TabChannel, type TabMessage } from './tab-channel.js';

type Token = string | undefined;

/** A wait for the token of the next sign-in. */
class NewSignIn {
  resolve: (token: Token) => void = () => undefined;
  readonly token = new Promise<Token>((resolve) => (this.resolve = resolve));
}

/**
 * The session of the person in this tab. The refresh token is in the cookie, the access token in memory. A call that finds the session
 * ended waits until the person has signed in again, so that nothing typed and no step of a page is lost.
 */
export class AppSession {
  readonly client: Client;
  #browser = new BrowserSession(calls);
  #state: SessionState = { status: 'starting' };
  readonly #listeners = new Set<() => void>();
  readonly #tabs = new TabChannel();
  /** The end of the wait of the calls that found the session ended. */
  #wait: NewSignIn | undefined;

  constructor() {
    this.client = createClient({
      ...calls,
      session: {
        accessToken: () => this.accessToken(),
        renewAfter: async (refused) => (await this.#browser.renewAfter(refused)) ?? this.#whenSignedInAgain(),
      },
    });
    this.#tabs.listen((message) => void this.#hear(message));
  }

  readonly getState = (): SessionState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** For the socket of the live feed, to which a page cannot send headers. */
  async accessToken(): Promise<Token> {
    return (await this.#browser.accessToken()) ?? this.#whenSignedInAgain();
  }

  /** Resumes the session of the cookie. */
  resume(): Promise<void> {
    return this.#enter(async () => {
      const isSignedIn = (await this.#browser.accessToken()) !== undefined;
      if (!isSignedIn) this.#change({ status: 'signed-out', isLeaving: false });
      return isSignedIn;
    });
  }

  /** Opens the session of a sign-in, and tells the other tabs. */
  open(grant: () => AuthorizationGrant): Promise<void> {
    return this.#enter(async () => {
      await this.#browser.replace('/v1/auth/identity/token?redirect=console', grant());
      return true;
    }, 'tell');
  }

  /** Creates an organization of which the person becomes the owner. Rejects with the refusal. */
  async createOrganization(name: string): Promise<void> {
    await this.#browser.replace('/v1/auth/complete-signup', { organization_name: name });
    await this.#enter(() => Promise.resolve(true), 'tell');
  }

  /** Joins the organization of an invitation. Rejects with the refusal. */
  async acceptInvitation(id: string): Promise<void> {
    await this.#browser.replace(`/v1/invitations/${id}/accept`);
    await this.#enter(() => Promise.resolve(true), 'tell');
  }

  /** Declines an invitation, and reads those that are left. Rejects with the refusal. */
  async declineInvitation(id: string): Promise<void> {
    await this.client.POST('/v1/invitations/{invitation_id}/decline', {
      params: { path: { invitation_id: id } },
    });
    const { data } = await this.client.GET('/v1/me');
    this.#change(stateOf(data));
  }

  /** Reads person and organization again, after a change of either. Rejects with the refusal. */
  async refresh(): Promise<void> {
    const { data } = await this.client.GET('/v1/me');
    const [state, next] = [this.#state, stateOf(data)];
    if (state.status === 'open' && next.status === 'open')
      this.#change({ ...next, hasEnded: state.hasEnded });
  }

  /** Signs out, in all tabs. Rejects if the API did not confirm it. */
  async end(): Promise<void> {
    await this.#browser.end();
    this.#tabs.send({ type: 'closed' });
    this.#leave();
  }

  /** Ends the wait for a new sign-in: calls that waited fail as signed out. */
  giveUp(): void {
    this.#wait?.resolve(undefined);
    this.#wait = undefined;
    this.#leave();
  }

  async #enter(open: () => Promise<boolean>, audience?: 'tell'): Promise<void> {
    try {
      if (!(await open())) return;
      const { data } = await this.client.GET('/v1/me');
      this.#change(stateOf(data));
      if (audience === 'tell') this.#tabs.send({ type: 'opened', userId: data.user?.user_id ?? null });
    } catch (error) {
      this.#change({ status: 'failed', error });
    }
  }

  #leave(): void {
    this.#browser = new BrowserSession(calls);
    this.#change({ status: 'signed-out', isLeaving: true });
  }

  /** The token of the session that the same person opens next; undefined outside of an open session, and when they give up. */
  #whenSignedInAgain(): Promise<Token> {
    const state = this.#state;
    if (state.status !== 'open') return Promise.resolve(undefined);
    this.#wait ??= new NewSignIn();
    if (!state.hasEnded) this.#change({ ...state, hasEnded: true });
    return this.#wait.token;
  }

  async #hear(message: TabMessage): Promise<void> {
    const state = this.#state;
    if (message.type === 'closed') return state.status === 'open' ? this.#leave() : undefined;
    if (state.status === 'starting') return;
    if (state.status !== 'open') return this.resume();
    // What this page shows belongs to another person than the one who signed in.
    if (message.userId !== state.me.user.user_id) return location.assign('/app');
    if (state.hasEnded) await this.#continue(state);
  }

  async #continue(state: SessionState & { status: 'open' }): Promise<void> {
    const token = await this.#browser.accessToken().catch(() => undefined);
    if (token === undefined) return;
    this.#change({ ...state, hasEnded: false });
    this.#wait?.resolve(token);
    this.#wait = undefined;
  }

  #change(state: SessionState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
