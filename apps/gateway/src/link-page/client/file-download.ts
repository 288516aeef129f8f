import type { LinkContent } from '@vaultsvc/contracts/sparks';
import { actions, button, element, paragraph, setDisabled } from '../../page-client/elements.js';
import { sizeText } from '../../page-client/format.js';
import { fileName } from './content-screens.js';
import { plainName } from './format.js';
import { announce, showScreen } from './screen.js';
import { sharedBy } from './shared-by.js';

const POLL_MS = 1_000;
const STALLED_AFTER_POLLS = 8;
const FAILURES_MAX = 5;

/** The requests of a file download. Each rejects with LinkError. */
export interface FileActions {
  /** Opens the link; the content has the URL of one download. */
  open(): Promise<LinkContent>;
  /** Called with the content once its download was started. */
  onStarted(content: LinkContent): void;
}

/** Offers a file for download, and again as often as its link allows. */
export async function offerFile(file: LinkContent, link: FileActions): Promise<void> {
  let again = false;
  do {
    if (!again) await offered(file);
    const content = await link.open();
    const { download_url: url = '' } = content;
    location.assign(url);
    link.onStarted(content);
    again = await downloaded(file, url);
  } while (again);
}

function detailsOf({ name = '', size_bytes: bytes = 0 }: LinkContent): Node[] {
  return [...fileName(plainName(name)), element('p', { class: 'size' }, sizeText(bytes))];
}

/** Without the answer of an older release, the page warns of the worse case. */
const opensOnce = ({ once = true }: LinkContent): boolean => once;

/** Resolves at the click. */
function offered(file: LinkContent): Promise<void> {
  return new Promise((resolve) => {
    const download = button('Download', () => {
      setDisabled(download, true);
      announce('Asking for the file …');
      resolve();
    });
    const note = opensOnce(file)
      ? 'You can download it once: do it on the device where you need it.'
      : 'You can download it as often as you like, until the sender stops sharing it.';
    showScreen({
      icon: 'file',
      title: 'A file was shared with you',
      parts: [...sharedBy(file), ...detailsOf(file), actions(download), paragraph(note)],
    });
  });
}

const USED_UP = 'This link is used up now.';

/** Shows the progress of the download. Resolves with true when the visitor downloads again; never if the link is used up. */
function downloaded(file: LinkContent, url: string): Promise<boolean> {
  const bar = element('progress', { max: String(file.size_bytes ?? 1), 'aria-label': 'Download' });
  const amount = element('p', { class: 'size' }, 'Waiting for your browser …');
  const retry = element(
    'p',
    { class: 'hint' },
    'Nothing happens? ',
    element('a', { href: url }, 'Start the download again'),
  );
  const stay = `${opensOnce(file) ? `${USED_UP} ` : ''}Keep your browser open until the file is complete.`;
  retry.hidden = true;
  showScreen({
    icon: 'file',
    title: 'Downloading',
    parts: [...detailsOf(file), bar, amount, retry, paragraph(stay)],
  });
  return new Promise((resolve) => {
    void followProgress(url, {
      showBytes: (bytes) => {
        bar.value = bytes;
        amount.textContent = `${sizeText(bytes)} of ${sizeText(file.size_bytes ?? 0)}`;
      },
      showStalled: (isStalled) => (retry.hidden = !isStalled),
    }).then((outcome) => showOutcome(outcome, file, () => resolve(true)));
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

function showOutcome(outcome: Outcome, file: LinkContent, onAgain: () => void): void {
  const { title, text } = outcomes[outcome];
  const ask = outcome === 'failed' ? ' Ask the sender for a new one.' : '';
  const again = button('Download again', () => {
    setDisabled(again, true);
    onAgain();
  });
  showScreen({
    icon: outcome === 'failed' ? 'trouble' : 'done',
    title,
    parts: [...detailsOf(file), paragraph(text), opensOnce(file) ? paragraph(USED_UP + ask) : actions(again)],
  });
}

/** How a download ended; `unknown`: Forge does not answer. */
type Outcome = 'complete' | 'failed' | 'unknown';

interface ProgressView {
  showBytes(bytes: number): void;
  /** `isStalled`: the browser should have started the download by now. */
  showStalled(isStalled: boolean): void;
}

/** Forge's response (FRG-23). */
interface Progress {
  readonly bytes_downloaded: number;
  readonly status: 'pending' | 'active' | 'complete' | 'failed';
}

/** Polls Forge for the progress of the download until it ends. */
async function followProgress(downloadUrl: string, view: ProgressView): Promise<Outcome> {
  const url = progressUrlOf(downloadUrl);
  let failures = 0;
  for (let poll = 0; failures < FAILURES_MAX; poll += 1) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const progress = await readProgress(url);
    failures = progress ? 0 : failures + 1;
    if (!progress) continue;
    if (progress.status === 'complete' || progress.status === 'failed') return progress.status;
    if (progress.status === 'active') view.showBytes(progress.bytes_downloaded);
    view.showStalled(progress.status === 'pending' && poll >= STALLED_AFTER_POLLS);
  }
  return 'unknown';
}

function progressUrlOf(downloadUrl: string): string {
  const { origin, searchParams } = new URL(downloadUrl);
  return `${origin}/progress?${new URLSearchParams({ istk: searchParams.get('istk') ?? '' })}`;
}

async function readProgress(url: string): Promise<Progress | undefined> {
  try {
    const response = await fetch(url, { cache: 'no-store', signal: AbortSignal.timeout(10_000) });
    return response.ok ? ((await response.json()) as { progress: Progress }).progress : undefined;
  } catch {
    return undefined;
  }
}
