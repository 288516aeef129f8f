import { useEffect, useState } from 'react';
import { sessionTexts } from '../texts/session.js';
import { Notice } from '../ui/notice.js';
import { useSessionState } from './session-context.js';
import { SIGN_IN_WINDOW } from './pending-sign-in.js';
import { SignInFailed } from './sign-in-notices.js';
import { startSignIn } from './sign-in.js';

/** The window of a sign-in before it leads to the provider. */
export function SignInStart() {
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    startSignIn(SIGN_IN_WINDOW).catch(setError);
  }, []);
  return error === undefined ? (
    <p className="starting">{sessionTexts.starting}</p>
  ) : (
    <SignInFailed error={error} />
  );
}

/** The window after the provider: it closes, where the browser lets it. */
export function SignInEnd() {
  const state = useSessionState();
  const isDone = state.status === 'open' || state.status === 'joining';
  useEffect(() => {
    if (isDone) window.close();
  }, [isDone]);
  if (state.status === 'failed') return <SignInFailed error={state.error} />;
  return isDone ? (
    <Notice title={sessionTexts.windowDone}>
      <p>{sessionTexts.windowDoneText}</p>
    </Notice>
  ) : (
    <p className="starting">{sessionTexts.starting}</p>
  );
}
