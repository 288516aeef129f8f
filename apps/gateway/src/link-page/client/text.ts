import type { LinkContent } from '@vaultsvc/contracts/sparks';
import { actions, button, element, paragraph } from './dom.js';
import { say, show } from './stage.js';
import { isText, plainName, shortName, sizeInWords } from './words.js';

const ONCE = 'It has been deleted from our servers. Once this page is closed or reloaded, it is gone.';

/** Shows the content of a Spark. It exists here alone from now on. */
export function showContent({ payload = '', content_type: type, filename }: LinkContent): void {
  const name = plainName(filename ?? '');
  if (isText(type)) showText(payload, type, name);
  else
    showBytes(
      Uint8Array.from(atob(payload), (byte) => byte.charCodeAt(0)),
      type,
      name,
    );
}

function showText(payload: string, type: string | undefined, name: string): void {
  const text = element(
    'pre',
    { tabindex: '0', dir: 'auto', role: 'region', 'aria-label': 'The text' },
    payload,
  );
  const veil = element('p', { class: 'veil' }, 'The text is hidden.');
  veil.hidden = true;
  const toggle = button(
    'Hide',
    () => {
      veil.hidden = text.hidden;
      text.hidden = !text.hidden;
      toggle.textContent = text.hidden ? 'Show' : 'Hide';
      say(text.hidden ? 'Hidden.' : 'Shown.');
    },
    'quiet',
  );
  const copy = button('Copy', () => void copyOut(text));
  const save = () => saveAs(new Blob([payload], { type }), name);
  show({
    icon: 'text',
    title: 'This was shared with you',
    parts: [
      ...nameOf(name),
      text,
      veil,
      actions(copy, toggle, ...(name ? [button('Save', save, 'quiet')] : [])),
      paragraph(ONCE),
    ],
  });
}

function showBytes(bytes: Uint8Array<ArrayBuffer>, type: string | undefined, name: string): void {
  const save = () => {
    saveAs(new Blob([bytes], { type }), name || 'file');
    say('Saved. Look in your downloads.');
  };
  show({
    icon: 'file',
    title: 'A file was shared with you',
    parts: [
      ...nameOf(name || 'File without a name'),
      element('p', { class: 'size' }, sizeInWords(bytes.length)),
      actions(button('Save the file', save)),
      paragraph(ONCE),
    ],
  });
}

/** Names may be long, or in a script of the other direction. */
export function nameOf(name: string): Node[] {
  if (!name) return [];
  return [element('p', { class: 'name', title: name }, element('bdi', {}, shortName(name)))];
}

/** Where a browser keeps the clipboard to itself, the text is chosen for the visitor's own hands. */
async function copyOut(text: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text.textContent ?? '');
    say('Copied.');
  } catch {
    text.hidden = false;
    getSelection()?.selectAllChildren(text);
    say('The text is selected: copy it with your keyboard.');
  }
}

function saveAs(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  element('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
