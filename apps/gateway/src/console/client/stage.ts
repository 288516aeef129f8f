import { actions, button, element, isDisabled, setDisabled } from '../../page-client/elements.js';

/** A person without figures: why, and what to do. */
export interface Notice {
  readonly title: string;
  readonly parts: readonly Node[];
  /** Buttons by their texts, the most likely first. */
  readonly choices: Readonly<Record<string, () => Promise<void> | void>>;
}

export function find(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no #${id}`);
  return found;
}

/** Has screen readers read a text; the focus stays. */
export function announce(text: string): void {
  find('status').textContent = text;
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

/** A button that ignores clicks until its work is done. */
export function busyButton(
  text: string,
  work: () => Promise<void> | void,
  className = '',
): HTMLButtonElement {
  const created: HTMLButtonElement = button(
    text,
    () => {
      if (isDisabled(created)) return;
      setDisabled(created, true);
      void Promise.resolve(work()).finally(() => setDisabled(created, false));
    },
    className,
  );
  return created;
}
