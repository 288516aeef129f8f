import { useState, type ReactNode } from 'react';
import { errorText, isUnauthorized } from '../api/error-text.js';
import { commonTexts } from '../texts/common.js';
import { sessionTexts } from '../texts/session.js';
import { Button } from '../ui/button.js';
import { Notice } from '../ui/notice.js';
import { Problem } from '../ui/states.js';
import { useSession } from './session-context.js';
import { SignInRefused, startSignIn } from './sign-in.js';

/** A button that leads to the identity provider and back to this page. */
export function SignInButton({
  prompt,
  text,
  kind,
}: {
  readonly prompt?: 'login';
  readonly text?: string | undefined;
  readonly kind?: 'quiet';
}) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const start = () => {
    setBusy(true);
    startSignIn(location.pathname + location.search, prompt).catch((thrown: unknown) => {
      setBusy(false);
      setError(thrown);
    });
  };
  return (
    <>
      <Button onPress={start} isBusy={isBusy} kind={kind}>
        {text ?? sessionTexts.signIn}
      </Button>
      {error !== undefined && <Problem>{errorText(error)}</Problem>}
    </>
  );
}

/** The first page of somebody who is not signed in. */
export function Welcome() {
  return (
    <Notice title={sessionTexts.welcome}>
      <p>{sessionTexts.welcomeText}</p>
      <p className="hint">{sessionTexts.welcomeHow}</p>
      <div className="actions">
        <SignInButton />
      </div>
      <p className="hint">
        <a href="/docs/guides">{sessionTexts.guides}</a>
      </p>
    </Notice>
  );
}

export function SignedOut() {
  return (
    <Notice title={sessionTexts.left} actions={<SignInButton prompt="login" />}>
      <p>{sessionTexts.leftText}</p>
    </Notice>
  );
}

/** A session that could not be opened, by a refusal or for want of an answer. */
export function SignInFailed({ error }: { readonly error: unknown }) {
  const session = useSession();
  const isRefused = error instanceof SignInRefused || isUnauthorized(error);
  const again: ReactNode = isRefused ? (
    <SignInButton prompt="login" text={isUnauthorized(error) ? sessionTexts.useAnother : undefined} />
  ) : (
    <Button onPress={() => void session.resume()}>{commonTexts.tryAgain}</Button>
  );
  return (
    <Notice title={isRefused ? sessionTexts.refused : commonTexts.failed} actions={again}>
      <p>{reasonOf(error)}</p>
    </Notice>
  );
}

function reasonOf(error: unknown): string {
  if (error instanceof SignInRefused) return error.message;
  return isUnauthorized(error) ? sessionTexts.emailNotVerified : errorText(error);
}
