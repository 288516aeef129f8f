import { actions, button, paragraph, rest } from './dom.js';
import type { EndState, Refusal } from './refusal.js';
import { say, show } from './stage.js';
import { waitInWords } from './words.js';

/** What happened to a link that is over, and what its visitor can do. */
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

export function showEnd(state: keyof typeof ends): void {
  const [title, ...sentences] = ends[state];
  show({
    icon: state === 'elsewhere' ? 'lock' : 'gone',
    title,
    parts: sentences.map((sentence) => paragraph(sentence)),
  });
}

/** Says honestly what is known of a failure. Resolves when the visitor wants to try again. */
export function showTrouble(refusal: Refusal): Promise<void> {
  const sentences = refusal.mayHaveOpened
    ? [
        'Your request was sent, and something went wrong after that. We cannot say whether it opened the link.',
        'Try again to see whether it still works.',
      ]
    : [`${causeOf(refusal)} Nothing was opened, and the link is not used up.`];
  return new Promise((resolve) => {
    const again = button('Try again', () => {
      rest(again, true);
      say('Trying again …');
      resolve();
    });
    show({
      icon: 'trouble',
      title: refusal.status === 409 ? 'Somebody is opening this link' : 'This did not work',
      parts: [...sentences.map((sentence) => paragraph(sentence)), actions(again)],
    });
  });
}

function causeOf({ status, retryAfterSeconds }: Refusal): string {
  if (status === 409) return 'Another visitor is opening it at this moment.';
  if (status === 429)
    return `Too many requests came from your network. Try again ${retryAfterSeconds ? `in ${waitInWords(retryAfterSeconds)}` : 'in a minute'}.`;
  if (status === 0) return 'There was no answer. Check your internet connection.';
  return 'Something went wrong on our side.';
}
