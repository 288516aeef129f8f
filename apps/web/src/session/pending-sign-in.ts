/** Where this tab keeps the sign-in that it has started, until the provider redirects back. It holds no secret of the person. */
const PENDING = 'vaultsvc-sign-in';

export interface PendingSignIn {
  readonly state: string;
  /** Of PKCE (RFC 7636); only this tab has it, so a stolen code is useless. */
  readonly verifier: string;
  readonly issuer: string;
  /** The path to return to, with its query. */
  readonly returnTo: string;
}

/** The path of the window in which a person signs in again; the page that asked for it stays. */
export const SIGN_IN_WINDOW = '/app/sign-in';

export function keepPending(pending: PendingSignIn): void {
  sessionStorage.setItem(PENDING, JSON.stringify(pending));
}

/** The sign-in that was started, which is removed: an answer is used once. */
export function takePending(): PendingSignIn | undefined {
  const text = sessionStorage.getItem(PENDING);
  sessionStorage.removeItem(PENDING);
  return text === null ? undefined : (JSON.parse(text) as PendingSignIn);
}
