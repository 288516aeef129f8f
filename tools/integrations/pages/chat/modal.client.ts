import { button, element, form, row } from '../elements.client.ts';
import type { Answer } from '../page-server.client.ts';
import { inputBlocks, shownBlocks } from './blocks.client.ts';
import type { Directory } from './directory.client.ts';
import type { PersonActions } from './person-actions.client.ts';
import type { View } from './state.client.ts';

/** The dialog with the newest modal of the app. */
export class Modal {
  readonly #directory: Directory;
  readonly #actions: PersonActions;
  /** Keys of modals that are not shown: those of before this page, and those that were closed. */
  readonly #closed = new Set<string>();
  readonly #shownTeams = new Set<string>();
  #shownKey = '';
  #shownVersion = '';

  readonly element = element('dialog', {});

  constructor(directory: Directory, actions: PersonActions) {
    this.#directory = directory;
    this.#actions = actions;
    this.element.addEventListener('cancel', () => this.#closed.add(this.#shownKey));
  }

  show(teamId: string, modals: readonly View[]) {
    const keyOf = ({ id }: View) => `${teamId} ${id}`;
    if (!this.#shownTeams.has(teamId)) for (const view of modals) this.#closed.add(keyOf(view));
    this.#shownTeams.add(teamId);
    const opened = modals.findLast((view) => !this.#closed.has(keyOf(view)));
    if (opened) this.#open(keyOf(opened), opened);
  }

  /** Replaces what the dialog shows, if the view is another one or has been updated. */
  #open(key: string, view: View) {
    const version = `${view.id} ${view.hash}`;
    if (version === this.#shownVersion) return;
    this.#shownKey = key;
    this.#shownVersion = version;
    this.element.setAttribute('aria-label', view.title.text);
    this.element.replaceChildren(element('h2', {}, view.title.text), this.#formOf(key, view));
    if (!this.element.open) this.element.showModal();
  }

  #formOf(key: string, view: View) {
    const inputs = inputBlocks(view.blocks, this.#directory.places);
    const submit = async () => {
      const answer = await this.#actions.submit(view, inputs.state());
      if (answer.status !== 200) return; // the platform keeps the modal and shows that the app has failed
      const errors = errorsIn(answer);
      if (errors) inputs.show(errors);
      else this.#close(key);
    };
    const submitButtons = view.submit ? [element('button', {}, view.submit.text)] : [];
    const close = button(view.close?.text ?? 'Close', () => this.#close(key), 'quiet');
    return form(
      () => void submit(),
      ...shownBlocks(view.blocks, this.#directory.names),
      ...inputs.elements,
      row(...submitButtons, close),
    );
  }

  #close(key: string) {
    this.#closed.add(key);
    this.element.close();
  }
}

/** The problems that the app has found in a submission, by block. */
function errorsIn({ text }: Answer) {
  const { errors } = (text === '' ? {} : JSON.parse(text)) as { errors?: Record<string, string> };
  return errors;
}
