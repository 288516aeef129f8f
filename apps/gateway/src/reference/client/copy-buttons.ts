import { button, element } from '../../page-client/elements.js';

const SHOWN_MS = 2_000;

/** Adds a button to each block of code that copies it. */
export function addCopyButtons(root: HTMLElement): void {
  const status = element('p', { role: 'status', class: 'unseen' });
  root.append(status);
  for (const block of root.querySelectorAll('pre')) addCopyButton(block, status);
}

function addCopyButton(block: HTMLElement, status: HTMLElement): void {
  const frame = element('div', { class: 'block' });
  const label = button('Copy', () => void copy(), 'copy');
  const copy = async () => {
    const text = (await isCopied(block)) ? 'Copied' : 'Press Ctrl+C';
    label.textContent = text;
    status.textContent = text;
    setTimeout(() => {
      label.textContent = 'Copy';
      status.textContent = '';
    }, SHOWN_MS);
  };
  block.replaceWith(frame);
  frame.append(block, label);
}

/** Pages without HTTPS have no clipboard but the selection, which stays where that fails too. */
async function isCopied(block: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(block.textContent.replace(/\n$/, ''));
    return true;
  } catch {
    getSelection()?.selectAllChildren(block);
    return document.execCommand('copy');
  }
}
