import { actions, button, paragraph } from '../../page-client/elements.js';
import { LinkError } from './link-api.js';
import { announce, showScreen } from './screen.js';
import { whenVisible } from './visibility.js';

const RETRY_MS = 5_000;

/**
 * Sends a request, and again every few seconds while it is refused because the link also needs a second person (NTF-08).
 * Rejects with other errors, such as the one that asks for a new verification after ten minutes.
 */
export async function withSecondPerson<T>(request: () => Promise<T>): Promise<T> {
  let nextTry: (() => Promise<void>) | undefined;
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (!isSecondPersonMissing(error)) throw error;
      nextTry ??= showWaiting();
      await nextTry();
    }
  }
}

function isSecondPersonMissing(error: unknown): boolean {
  return error instanceof LinkError && error.details.code === 'LINK_SECOND_PERSON_REQUIRED';
}

/** Shows the screen once, so that the focus stays. The returned function resolves when the next try is due. */
function showWaiting(): () => Promise<void> {
  let isAsked = false;
  let proceed: () => void;
  const now = button('Try now', () => {
    isAsked = true;
    announce('Trying again …');
    proceed();
  });
  showScreen({
    icon: 'person',
    title: 'You are verified',
    parts: [
      paragraph('Waiting for the second person: this link opens once another recipient has verified too.'),
      actions(now),
      paragraph('This page tries again every few seconds. Your verification is valid for 10 minutes.'),
    ],
  });
  return () => {
    // Only a visitor who asked hears the result: screen readers would repeat it every few seconds.
    if (isAsked) announce('Nobody else has verified yet.');
    isAsked = false;
    return new Promise((resolve) => {
      proceed = resolve;
      setTimeout(() => void whenVisible().then(resolve), RETRY_MS);
    });
  };
}
