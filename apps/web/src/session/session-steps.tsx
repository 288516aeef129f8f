import { sessionTexts } from '../texts/session.js';
import { JoinOrganization } from './join-organization.js';
import { useSessionState } from './session-context.js';
import { SignedOut, SignInFailed, Welcome } from './sign-in-notices.js';

/** The step that leads a person to an open session of an organization; nothing once it is open. */
export function SessionSteps() {
  const state = useSessionState();
  switch (state.status) {
    case 'open':
      return null;
    case 'starting':
      return <p className="starting">{sessionTexts.starting}</p>;
    case 'signed-out':
      return state.isLeaving ? <SignedOut /> : <Welcome />;
    case 'joining':
      return <JoinOrganization invitations={state.invitations} />;
    case 'failed':
      return <SignInFailed error={state.error} />;
  }
}
