/** What the tabs of the origin tell each other. Ids only: a message is no credential, the cookie is. */
export type TabMessage =
  | { readonly type: 'opened'; readonly userId: string | null }
  | { readonly type: 'closed' };

/** Tells other tabs, and the window of a sign-in, of a session that was opened or ended. */
export class TabChannel {
  readonly #channel = new BroadcastChannel('vaultsvc-session');

  send(message: TabMessage): void {
    this.#channel.postMessage(message);
  }

  /** Messages of other tabs; a tab does not hear its own. */
  listen(hear: (message: TabMessage) => void): void {
    this.#channel.addEventListener('message', ({ data }) => hear(data as TabMessage));
  }
}
