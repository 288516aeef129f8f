import type { LinkContent } from '@vaultsvc/contracts/sparks';
import { actions, button, paragraph, setDisabled } from '../../page-client/elements.js';
import { waitText } from '../../page-client/format.js';
import { redirectTo, showContent, showWarning } from './content-screens.js';
import { verifyByCode } from './code-verification.js';
import { offerFile } from './file-download.js';
import { interactionPanel } from './interaction-panel.js';
import { type EndState, type LinkApi, LinkError, type Verification } from './link-api.js';
import { verifyByPasskey } from './passkey-verification.js';
import { pressToOpen } from './press-to-open.js';
import { FOREIGN } from './retry-problem.js';
import { announce, showBelow, showScreen } from './screen.js';
import { sharedBy } from './shared-by.js';
import { withSecondPerson } from './second-person.js';

/** Opens the link and shows its content; after an error as often as the visitor tries again. */
export async function openLink(link: LinkApi): Promise<void> {
  for (;;) {
    try {
      return await open(link);
    } catch (thrown) {
      // A bug of this script occurs after a response, if at all, so the link may have been opened.
      const error = thrown instanceof LinkError ? thrown : new LinkError(0, {}, undefined, true);
      const end = endOf(error);
      if (end) return showEndedLink(end);
      await showError(error);
    }
  }
}

/** Describes the content first, which consumes nothing: only a press opens anything but a URL, which redirects (LNK-12). */
async function open(link: LinkApi): Promise<void> {
  const described = await verified(link, () => link.describe());
  // The code of a durable share, whose page is on our other origin: only that description has a URL (OPEN-22).
  if (described.url) return location.replace(described.url);
  if (described.type === 'file')
    return offerFile(described, {
      open: () => verified(link, () => link.open(true)),
      onStarted: ({ interaction }) => showBelow(interactionPanel(interaction, link)),
    });
  const opened = described.type === 'redirect' ? await verified(link, () => link.open(false)) : undefined;
  if (opened && opened.type !== 'confirm') return show(opened, described, link);
  await pressToOpen(described);
  show(await verified(link, () => link.open(true)), described, link);
}

function show(content: LinkContent, described: LinkContent, link: LinkApi): void {
  if (content.type === 'content') return showContent(content, sharedBy(described), link);
  if (content.type === 'redirect') return redirectTo(content, sharedBy(described));
  if (content.type === 'warning') return showWarning(content);
  throw new Error(`a content of type ${content.type}`);
}

/** Sends a request; where the link requires verified identities, verifies them and sends the request again. */
async function verified<T>(link: LinkApi, request: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await withSecondPerson(request);
    } catch (error) {
      const verification = error instanceof LinkError ? error.details.verification : undefined;
      if (!verification) throw error;
      await verify(link, verification);
    }
  }
}

function verify(link: LinkApi, { methods, enrollment }: Verification): Promise<void> {
  return enrollment ? verifyByPasskey(link, enrollment) : verifyByCode(link, methods);
}

function endOf({ status, details }: LinkError) {
  if (status === 404) return 'unknown';
  if (status === 403) return details.state ?? 'elsewhere';
  return undefined;
}

/** Title and sentences for a link that does not open: what happened, and what the visitor can do. */
const ends: Readonly<Record<EndState | 'unknown' | 'elsewhere', readonly [title: string, ...string[]]>> = {
  consumed: [
    'This link has been opened',
    'It opens once, and that has happened. Its content cannot be shown again.',
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
        error.status < 0 ? FOREIGN : 'Something went wrong after your request was sent.',
        'We cannot say whether it opened the link.',
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
  if (status < 0) return FOREIGN;
  if (status === 409) return 'Another visitor is opening it at this moment.';
  if (status === 429)
    return `Too many requests came from your network. Try again ${retryAfterSeconds ? `in ${waitText(retryAfterSeconds)}` : 'in a minute'}.`;
  if (status === 0) return 'There was no answer. Check your connection.';
  return 'Something went wrong on our side.';
}
