import { actions, element, isResting, rest } from './dom.js';
import { Refusal } from './refusal.js';
import { waitInWords } from './words.js';

/** What a form asks for. */
export interface Inquiry {
  readonly id: 'identity' | 'code';
  readonly label: string;
  readonly hint: string;
  /** Attributes of the input. */
  readonly field: Readonly<Record<string, string>>;
  readonly button: string;
  /** What stands there already. */
  readonly typed?: string;
}

/** A form of one field, and what is wrong with the answer. */
export class Question {
  readonly form: HTMLFormElement;
  readonly field: HTMLInputElement;
  readonly #problem = element('p', { class: 'problem', role: 'alert', id: 'problem' });
  readonly #button: HTMLButtonElement;

  constructor({ id, label, hint, field, button, typed = '' }: Inquiry) {
    this.field = element('input', { id, maxlength: '254', 'aria-describedby': 'hint problem', ...field });
    this.field.value = typed;
    this.#button = element('button', {}, button);
    this.form = element(
      'form',
      { novalidate: '' },
      this.#problem,
      element('label', { for: id }, label),
      element('p', { class: 'hint', id: 'hint' }, hint),
      this.field,
      actions(this.#button),
    );
  }

  onAnswer(take: (answer: string) => Promise<void>, onFailure: (error: unknown) => void): void {
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.work(() => take(this.field.value), onFailure);
    });
  }

  /** One thing at a time. What the visitor can mend is said here, the rest is the journey's. */
  work(task: () => Promise<void>, onFailure: (error: unknown) => void): void {
    if (isResting(this.#button)) return;
    this.object('');
    rest(this.#button, true);
    task()
      .catch((error: unknown) => {
        const objection = objectionTo(error, this.field.id);
        if (objection) this.object(objection);
        else onFailure(error);
      })
      .finally(() => rest(this.#button, false));
  }

  object(text: string): void {
    this.#problem.textContent = text;
    this.field.setAttribute('aria-invalid', String(text !== ''));
    if (text) this.field.select();
  }
}

/** What the visitor is told about an answer, and nothing where the answer is not the trouble. */
function objectionTo(error: unknown, field: string): string | undefined {
  if (!(error instanceof Refusal)) return undefined;
  const { status, retryAfterSeconds } = error;
  const soon = retryAfterSeconds ? `in ${waitInWords(retryAfterSeconds)}` : 'later';
  if (status === 429) return `Too many attempts. Try again ${soon}.`;
  if (status === 400 && field === 'identity') return 'No code can be sent there. Check what you have typed.';
  if (status === 401 || status === 400)
    return 'This code is wrong or no longer valid. Use the one in the newest message; each can be tried five times.';
  if (status === 0 || status >= 500) return 'That did not get through. Nothing was opened. Please try again.';
  return undefined;
}
