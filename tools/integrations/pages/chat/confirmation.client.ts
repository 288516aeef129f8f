import { button, element, row } from '../elements.client.ts';
import type { ActionButton } from './blocks.client.ts';

/** Asks the question of a button in a dialog; `onConfirm` is called if the person confirms. */
export function askToConfirm(stage: HTMLElement, { confirm: question }: ActionButton, onConfirm: () => void) {
  const yes = button(question.confirm.text, () => {
    dialog.remove();
    onConfirm();
  });
  const no = button(question.deny.text, () => dialog.remove(), 'quiet');
  const dialog = element(
    'dialog',
    { 'aria-label': question.title.text },
    element('h2', {}, question.title.text),
    element('p', {}, question.text.text),
    row(yes, no),
  );
  stage.append(dialog);
  dialog.showModal();
}
