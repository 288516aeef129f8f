import { actions, element, isDisabled, setDisabled } from '../../page-client/elements.js';
import { LinkError } from './link-api.js';
import { retryProblem } from './retry-problem.js';

/** The texts of a form and its input. */
export interface FormOptions {
  readonly id: 'identity' | 'code';
  readonly label: string;
  readonly hint: string;
  /** Attributes of the input. */
  readonly field: Readonly<Record<string, string>>;
  readonly button: string;
  /** Initial value. */
  readonly value?: string;
}

/** A form of one field, with a message for an invalid value. */
export class OneFieldForm {
  readonly element: HTMLFormElement;
  readonly field: HTMLInputElement;
  readonly #problem = element('p', { class: 'problem', role: 'alert', id: 'problem' });
  readonly #button: HTMLButtonElement;

  constructor({ id, label, hint, field, button, value = '' }: FormOptions) {
    this.field = element('input', { id, maxlength: '254', 'aria-describedby': 'hint problem', ...field });
    this.field.value = value;
    this.#button = element('button', {}, button);
    this.element = element(
      'form',
      { novalidate: '' },
      this.#problem,
      element('label', { for: id }, label),
      element('p', { class: 'hint', id: 'hint' }, hint),
      this.field,
      actions(this.#button),
    );
  }

  onSubmit(submit: (value: string) => Promise<void>, onFailure: (error: unknown) => void): void {
    this.element.addEventListener('submit', (event) => {
      event.preventDefault();
      this.run(() => submit(this.field.value), onFailure);
    });
  }

  /** Runs one task at a time. Shows errors that the visitor can correct; passes others to `onFailure`. */
  run(task: () => Promise<void>, onFailure: (error: unknown) => void): void {
    if (isDisabled(this.#button)) return;
    this.showProblem('');
    setDisabled(this.#button, true);
    task()
      .catch((error: unknown) => {
        const problem = problemOf(error, this.field.id);
        if (problem) this.showProblem(problem);
        else onFailure(error);
      })
      .finally(() => setDisabled(this.#button, false));
  }

  showProblem(text: string): void {
    this.#problem.textContent = text;
    this.field.setAttribute('aria-invalid', String(text !== ''));
    if (text) this.field.select();
  }
}

/** The message for an error that the visitor can correct; undefined for others. */
function problemOf(error: unknown, field: string): string | undefined {
  if (!(error instanceof LinkError)) return undefined;
  const { status } = error;
  if (status === 400 && field === 'identity') return 'No code can be sent there. Check what you have typed.';
  if (status === 401 || status === 400)
    return 'This code is wrong or no longer valid. Use the one in the newest message; each can be tried five times.';
  return retryProblem(error);
}
