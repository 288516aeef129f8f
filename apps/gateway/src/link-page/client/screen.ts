import { drawing, element } from '../../page-client/elements.js';

const icons = {
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 4-6 8-6s8 2 8 6',
  text: 'M5 7h14M5 12h14M5 17h9',
  file: 'M7 3h7l4 4v14H7zM14 3v4h4',
  done: 'M5 13l4 4L19 7',
  go: 'M7 17L17 7M9 7h8v8',
  warning: 'M12 4L2.5 20h19zM12 10v4M12 17v.2',
  gone: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM6 6l12 12',
  trouble: 'M20 12a8 8 0 1 1-2.3-5.7M20 3v4h-4',
};

/** One state of the page. */
export interface Screen {
  readonly icon: keyof typeof icons;
  readonly title: string;
  readonly parts: readonly Node[];
  /** Receives the focus instead of the heading. */
  readonly focus?: HTMLElement;
}

/**
 * Replaces the current screen and moves the focus to the start of the new one, for screen readers too. A visitor who works
 * below the screen keeps the focus, and screen readers read out the new title.
 */
export function showScreen({ icon, title, parts, focus }: Screen): void {
  const stage = find('stage');
  const heading = element('h1', { tabindex: '-1' }, title);
  const isWorkingBelow = find('below').contains(document.activeElement);
  const badge = element('div', { class: `badge ${icon}` }, drawing(icons[icon]));
  announce(isWorkingBelow ? title : '');
  stage.className = '';
  stage.replaceChildren(badge, heading, ...parts);
  document.title = `${title} · vaultsvc`;
  if (!isWorkingBelow) (focus ?? heading).focus();
}

/** Shows content below the screen, which remains when the screen changes. */
export function showBelow(parts: readonly Node[]): void {
  find('below').replaceChildren(...parts);
}

/** Shows a text below the screen, which screen readers read out; the focus stays. */
export function announce(text: string): void {
  find('status').textContent = text;
}

function find(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no #${id}`);
  return found;
}
