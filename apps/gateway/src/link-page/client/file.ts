import type { LinkContent } from '@vaultsvc/contracts/sparks';
import { actions, button, element, paragraph, rest } from './dom.js';
import { follow, type Outcome } from './progress.js';
import { say, show } from './stage.js';
import { nameOf } from './text.js';
import { plainName, sizeInWords } from './words.js';

/** What the page does for a file: each gives what the server says, or throws. */
export interface FileActions {
  /** Opens the link and gives the URL of one download. */
  open(): Promise<LinkContent>;
  /** Whether the link gives nothing more, as one for a single download does after it. */
  isUsedUp(): Promise<boolean>;
}

/** Offers a file, as often as its link gives it. */
export async function offerFile(file: LinkContent, link: FileActions): Promise<void> {
  let again = false;
  do {
    if (!again) await offered(file);
    const { download_url: url = '' } = await link.open();
    location.assign(url);
    again = await downloaded(file, url, await link.isUsedUp());
  } while (again);
}

function factsOf({ name = '', size_bytes: bytes = 0 }: LinkContent): Node[] {
  return [...nameOf(plainName(name)), element('p', { class: 'size' }, sizeInWords(bytes))];
}

/** Resolves at the click. */
function offered(file: LinkContent): Promise<void> {
  return new Promise((resolve) => {
    const download = button('Download', () => {
      rest(download, true);
      say('Asking for the file …');
      resolve();
    });
    const note = 'Some links give their file only once: download it on the device where you need it.';
    show({
      icon: 'file',
      title: 'A file was shared with you',
      parts: [...factsOf(file), actions(download), paragraph(note)],
    });
  });
}

const USED_UP = 'This link is used up now.';

/** Shows how far the download is. Resolves with true when the visitor wants it again, and where nothing is left, never. */
function downloaded(file: LinkContent, url: string, isUsedUp: boolean): Promise<boolean> {
  const bar = element('progress', { max: String(file.size_bytes ?? 1), 'aria-label': 'Download' });
  const amount = element('p', { class: 'size' }, 'Waiting for your browser …');
  const retry = element(
    'p',
    { class: 'hint' },
    'Nothing happens? ',
    element('a', { href: url }, 'Start the download again'),
  );
  const stay = `${isUsedUp ? `${USED_UP} ` : ''}Keep your browser open until the file is complete.`;
  retry.hidden = true;
  show({
    icon: 'file',
    title: 'Downloading',
    parts: [...factsOf(file), bar, amount, retry, paragraph(stay)],
  });
  return new Promise((resolve) => {
    void follow(url, {
      moved: (bytes) => {
        bar.value = bytes;
        amount.textContent = `${sizeInWords(bytes)} of ${sizeInWords(file.size_bytes ?? 0)}`;
      },
      waits: (isWaiting) => (retry.hidden = !isWaiting),
    }).then((outcome) => showOutcome(outcome, file, isUsedUp, () => resolve(true)));
  });
}

const outcomes: Readonly<Record<Outcome, { title: string; text: string }>> = {
  complete: { title: 'The file is complete', text: 'Look in your downloads.' },
  failed: { title: 'The download stopped early', text: 'The file is not complete.' },
  unknown: {
    title: 'The download goes on',
    text: 'This page cannot see how far it is. Look in your downloads.',
  },
};

function showOutcome(outcome: Outcome, file: LinkContent, isUsedUp: boolean, onAgain: () => void): void {
  const { title, text } = outcomes[outcome];
  const ask = outcome === 'failed' ? ' Ask the sender for a new one.' : '';
  const again = button('Download again', () => {
    rest(again, true);
    onAgain();
  });
  show({
    icon: outcome === 'failed' ? 'trouble' : 'done',
    title,
    parts: [...factsOf(file), paragraph(text), isUsedUp ? paragraph(USED_UP + ask) : actions(again)],
  });
}
