import { useState } from 'react';
import { sessionTexts } from '../texts/session.js';
import { Button } from '../ui/button.js';
import { SIGN_IN_WINDOW } from './pending-sign-in.js';
import { useSession, useSessionState } from './session-context.js';

/**
 * Says that the session has ended. The page stays, with what was typed; the person signs in in a window of its own, which tells this tab
 * through the channel of the tabs.
 */
export function SessionEnded() {
  const session = useSession();
  const state = useSessionState();
  const [isBlocked, setBlocked] = useState(false);
  if (state.status !== 'open' || !state.hasEnded) return null;
  const signIn = () => {
    const opened = window.open(SIGN_IN_WINDOW, 'vaultsvc-sign-in', 'popup,width=480,height=720');
    setBlocked(opened === null);
  };
  return (
    <div className="ended" role="alert">
      <p>{isBlocked ? sessionTexts.windowBlocked : sessionTexts.ended}</p>
      <div className="actions">
        <Button onPress={signIn}>{sessionTexts.signInAgain}</Button>
        <Button kind="quiet" onPress={() => session.giveUp()}>
          {sessionTexts.signOut}
        </Button>
      </div>
    </div>
  );
}
