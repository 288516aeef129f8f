import { actions, element } from './elements.js';
import { busyButton, find } from './page-parts.js';

/** A text instead of the content of a page: what happened, and what to do. */
export interface Notice {
  readonly title: string;
  readonly parts: readonly Node[];
  /** Buttons by their texts, the most likely first. */
  readonly choices: Readonly<Record<string, () => Promise<void> | void>>;
}

/** Replaces what the page shows, and moves the focus to its heading, for screen readers too. */
export function showNotice({ title, parts, choices }: Notice): void {
  const heading = element('h1', { tabindex: '-1' }, title);
  const buttons = Object.entries(choices).map(([text, choose], index) =>
    busyButton(text, choose, index === 0 ? '' : 'quiet'),
  );
  find('stage').className = 'message';
  find('stage').replaceChildren(heading, ...parts, actions(...buttons));
  document.title = `${title} · vaultsvc`;
  heading.focus();
}
