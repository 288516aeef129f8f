import { button, isDisabled, setDisabled } from './elements.js';

export function find(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no #${id}`);
  return found;
}

/** Has screen readers read a text; the focus stays. */
export function announce(text: string): void {
  find('status').textContent = text;
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
