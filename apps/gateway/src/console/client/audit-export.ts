import { ConnectionError } from '@vaultsvc/client';
import { textOf } from '../../page-client/error-text.js';
import { button, element, setDisabled } from '../../page-client/elements.js';
import { sizeText } from '../../page-client/format.js';
import { announce } from '../../page-client/page-parts.js';
import type { Session } from './session.js';
import { countOf, countText } from './texts.js';

/** Received bytes that the script holds; browsers keep Blobs outside of its memory, and large ones on the disk. */
const PART_BYTES = 4 * 1_048_576;
const SHOW_EVERY_MS = 200;
const NEWLINE = 10;

/** A button that exports the audit log into a file, with progress and a button that cancels it. */
export function exportControls(session: Session): HTMLElement {
  const bar = element('progress', { 'aria-label': 'Export' });
  const text = element('p', { class: 'hint' });
  const stop = button('Cancel', () => running?.abort(), 'quiet');
  const progress = element('div', { class: 'exporting' }, bar, text, stop);
  progress.hidden = true;
  let running: AbortController | undefined;

  const run = async (): Promise<void> => {
    running = new AbortController();
    setDisabled(start, true);
    bar.hidden = stop.hidden = progress.hidden = false;
    bar.removeAttribute('value');
    text.textContent = 'Preparing …';
    announce('The export has started.');
    const said = await exportTo(session, running.signal, bar, text).catch((error: unknown) =>
      isCancelled(error)
        ? 'The export was cancelled. Nothing was saved.'
        : `${textOf(error)} Nothing was saved.`,
    );
    const hadFocus = document.activeElement === stop;
    bar.hidden = stop.hidden = true;
    text.textContent = said;
    announce(said);
    setDisabled(start, false);
    if (hadFocus) start.focus();
  };
  const start = button('Export', () => void run());
  return element('div', { class: 'export' }, start, progress);
}

/** Saves the export; resolves to a sentence. An answer that breaks off rejects, so that no part is taken for the whole. */
async function exportTo(
  session: Session,
  signal: AbortSignal,
  bar: HTMLProgressElement,
  text: HTMLElement,
): Promise<string> {
  const { data } = await session.client.GET('/v1/audit-logs/integrity');
  const { entries } = data;
  const response = await session.client.stream('/v1/audit-logs/export', { signal });
  const { file, lines } = await receive(response, signal, (lines, bytes) => {
    bar.max = Math.max(1, entries);
    bar.value = Math.min(lines, entries);
    text.textContent = `${countText(Math.min(lines, entries))} of ${countOf(entries, 'entry', 'entries')}, ${sizeText(bytes)}`;
  });
  const name = `audit-log-${new Date().toISOString().slice(0, 10)}.jsonl`;
  save(file, name);
  return `Saved ${name}: ${countOf(lines, 'line', 'lines')}, ${sizeText(file.size)}. Verify it with “npm run audit -- verify ${name}”.`;
}

async function receive(
  { body }: Response,
  signal: AbortSignal,
  show: (lines: number, bytes: number) => void,
): Promise<{ readonly file: Blob; readonly lines: number }> {
  if (!body) throw new ConnectionError('the response has no body');
  const parts: Blob[] = [];
  let [chunks, held, bytes, lines, shownAt] = [[] as BlobPart[], 0, 0, 0, 0];
  const flush = () => {
    parts.push(new Blob(chunks));
    [chunks, held] = [[], 0];
  };
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw signal.aborted ? error : new ConnectionError(error);
    });
    if (done) break;
    chunks.push(value);
    held += value.length;
    bytes += value.length;
    for (const byte of value) if (byte === NEWLINE) lines++;
    if (held >= PART_BYTES) flush();
    if (performance.now() - shownAt < SHOW_EVERY_MS) continue;
    shownAt = performance.now();
    show(lines, bytes);
  }
  flush();
  return { file: new Blob(parts, { type: 'application/x-ndjson' }), lines };
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  element('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
