import { waitText } from './format.js';
import type { EndState, LinkError } from './link-api.js';
import { actions, announce, button, paragraph, setDisabled, showScreen } from './screen.js';

/** Title and sentences for a link that does not open: what happened, and what the visitor can do. */
const ends: Readonly<Record<EndState | 'unknown' | 'elsewhere', readonly [title: string, ...string[]]>> = {
  consumed: [
    'This link has been opened',
    'It opens once, and that has happened. What it held cannot be shown again.',
    'If that was not you, tell the sender: somebody else may have seen it.',
  ],
  revoked: [
    'This link was withdrawn',
    'The sender has taken it back. If you still need what it held, ask them.',
  ],
  expired: [
    'This link has expired',
    'It was valid for a limited time, which is over. Ask the sender for a new link.',
  ],
  suspended: [
    'This link is paused',
    'The sender does not share these files at the moment. Ask them, or try again later.',
  ],
  unknown: ['This link leads nowhere', 'Check that it is complete, or ask the sender for a new one.'],
  elsewhere: [
    'This link does not open here',
    'It opens from one network only, and yours is another. It has not been opened. Ask the sender.',
  ],
};

export function showEndedLink(state: keyof typeof ends): void {
  const [title, ...sentences] = ends[state];
  showScreen({
    icon: state === 'elsewhere' ? 'lock' : 'gone',
    title,
    parts: sentences.map((sentence) => paragraph(sentence)),
  });
}

/** Shows whether the link may have been opened despite the error. Resolves when the visitor tries again. */
export function showError(error: LinkError): Promise<void> {
  const sentences = error.mayHaveOpened
    ? [
        'Your request was sent, and something went wrong after that. We cannot say whether it opened the link.',
        'Try again to see whether it still works.',
      ]
    : [`${causeOf(error)} Nothing was opened, and the link is not used up.`];
  return new Promise((resolve) => {
    const again = button('Try again', () => {
      setDisabled(again, true);
      announce('Trying again …');
      resolve();
    });
    showScreen({
      icon: 'trouble',
      title: error.status === 409 ? 'Somebody is opening this link' : 'This did not work',
      parts: [...sentences.map((sentence) => paragraph(sentence)), actions(again)],
    });
  });
}

function causeOf({ status, retryAfterSeconds }: LinkError): string {
  if (status === 409) return 'Another visitor is opening it at this moment.';
  if (status === 429)
    return `Too many requests came from your network. Try again ${retryAfterSeconds ? `in ${waitText(retryAfterSeconds)}` : 'in a minute'}.`;
  if (status === 0) return 'There was no answer. Check your internet connection.';
  return 'Something went wrong on our side.';
}
