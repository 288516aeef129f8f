import { element } from '../../page-client/elements.js';
import { announce } from './screen.js';

/** Copies the text, or selects it where the browser denies access to the clipboard. */
export async function copyText(text: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text.textContent ?? '');
    announce('Copied.');
  } catch {
    text.hidden = false;
    getSelection()?.selectAllChildren(text);
    announce('The text is selected: copy it with your keyboard.');
  }
}

/** Saves the content as a download of the browser. */
export function saveAs(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  element('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
