import type { AppSession } from './app-session.js';
import { SIGN_IN_WINDOW } from './pending-sign-in.js';
import { removeReturnedQuery } from './returned-query.js';
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
    removeReturnedQuery();
    void session.resume();
    return 'app';
  }
  const { returnTo, grant } = finishSignIn();
  void session.open(grant).then(() => leaveFor(returnTo, session));
  return returnTo === SIGN_IN_WINDOW ? 'sign-in-end' : 'app';
}

/** The usage page of an earlier release may have started the sign-in, during a rollout; its address leads on. */
function leaveFor(returnTo: string, session: AppSession): void {
  const isOurs = returnTo === '/app' || returnTo.startsWith('/app/');
  if (!isOurs && session.getState().status !== 'failed') location.replace(returnTo);
}
