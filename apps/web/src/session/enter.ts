import type { AppSession } from './app-session.js';
import { SIGN_IN_WINDOW } from './pending-sign-in.js';
import { finishSignIn } from './sign-in.js';

/** The redirect URI at the identity provider (OPEN-65). */
const CALLBACK = '/console/callback';

export type Entered = 'app' | 'sign-in-start' | 'sign-in-end';

/**
 * Begins the session of a page that was loaded: completes the sign-in that the provider has answered, or resumes that of the cookie.
 * @returns what to show
 */
export function enter(session: AppSession): Entered {
  if (location.pathname === SIGN_IN_WINDOW) return 'sign-in-start';
  if (location.pathname !== CALLBACK) {
    void session.resume();
    return 'app';
  }
  const { returnTo, grant } = finishSignIn();
  void session.open(grant).then(() => leaveFor(returnTo, session));
  return returnTo === SIGN_IN_WINDOW ? 'sign-in-end' : 'app';
}

/** Pages of this origin that are no part of the application, such as the usage page, resume the session that was opened. */
function leaveFor(returnTo: string, session: AppSession): void {
  const isOurs = returnTo === '/app' || returnTo.startsWith('/app/');
  if (!isOurs && session.getState().status !== 'failed') location.replace(returnTo);
}
