import { element } from '../../page-client/elements.js';
import { loadSearch } from './load-search.js';
import { SearchList } from './search-list.js';

/** Adds the search over guides, errors and reference to the header of a page. */
export function addSearchBox(place: Element): void {
  const input = element('input', {
    type: 'text',
    role: 'combobox',
    'aria-label': 'Search the documentation',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    enterkeyhint: 'go',
    placeholder: 'Search',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
  });
  const status = element('p', { role: 'status' });
  const list = new SearchList(input, (url, inNewTab) => {
    if (inNewTab) return void open(url, '_blank', 'noopener');
    // It closes the list.
    input.blur();
    location.assign(url);
  });
  place.append(input, element('kbd', { 'aria-hidden': 'true' }, '/'), list.element, status);
  listen(input, list, status);
  focusBySlash(input);
}

function listen(input: HTMLInputElement, list: SearchList, status: HTMLElement): void {
  const close = () => {
    list.show([]);
    status.textContent = '';
  };
  const search = async () => {
    const text = input.value;
    const found = await hitsOf(text);
    // Further letters may have been typed while the search was loaded.
    if (text !== input.value || document.activeElement !== input) return;
    list.show(found ?? []);
    status.textContent = statusOf(text, found?.length);
  };
  input.addEventListener('focus', () => void search());
  input.addEventListener('input', () => void search());
  input.addEventListener('blur', close);
  input.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    if (event.key === 'ArrowDown') list.move(1);
    else if (event.key === 'ArrowUp') list.move(-1);
    else if (event.key === 'Enter') list.openActive();
    else if (event.key !== 'Escape') return;
    // The first Escape closes the list, the next one empties the field.
    else if (list.active) close();
    else input.value = '';
    event.preventDefault();
  });
}

/** Undefined if the search cannot be loaded. */
async function hitsOf(text: string) {
  try {
    return (await loadSearch())(text);
  } catch {
    return undefined;
  }
}

function statusOf(text: string, count: number | undefined): string {
  if (count === undefined) return 'The search could not be loaded. Check the connection, and type again.';
  if (text.trim() === '') return '';
  if (count === 0) return 'Nothing found. Try fewer words, or other ones.';
  return count === 1 ? '1 result' : `${count} results`;
}

/** `/` moves the focus to the search, except where somebody types. */
function focusBySlash(input: HTMLInputElement): void {
  addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    if (key !== '/' || ctrlKey || metaKey || altKey || event.defaultPrevented || isTyping(target)) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable], dialog, [role=dialog]') !== null
  );
}
