import { actions, button, element, isResting, paragraph, rest } from './dom.js';
import type { Link } from './link.js';
import { Refusal, type VerificationMethod } from './refusal.js';
import { say, show } from './stage.js';
import { identityOf, waitInWords } from './words.js';

const PAUSE_SECONDS = 30;

/** Words for what the visitor proves to have. */
interface Wording {
  readonly label: string;
  readonly field: Readonly<Record<string, string>>;
  readonly hint: string;
}

const wordings: Readonly<Record<'email' | 'sms' | 'both', Wording>> = {
  email: { label: 'E-mail address', field: { type: 'email', autocomplete: 'email' }, hint: '' },
  sms: {
    label: 'Phone number',
    field: { type: 'tel', autocomplete: 'tel' },
    hint: 'With the country code, as in +43 660 1234567.',
  },
  both: {
    label: 'E-mail address or phone number',
    field: { type: 'text', autocomplete: 'email', autocapitalize: 'none', spellcheck: 'false' },
    hint: 'Numbers with their country code, as in +43 660 1234567.',
  },
};

/** Lets the visitor prove an identity by a code. Resolves when the link knows it; throws what is not about that. */
export async function verify(link: Link, methods: readonly VerificationMethod[]): Promise<void> {
  const wording = wordings[methods.length === 1 ? (methods[0] as VerificationMethod) : 'both'];
  let typed = '';
  do typed = await askIdentity(link, wording, typed);
  while (!(await askCode(link, typed)));
}

/** Resolves with the identity that a code was asked for. */
function askIdentity(link: Link, { label, field, hint }: Wording, typed: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const question = new Question({ id: 'identity', label, hint, button: 'Send the code' }, field, typed);
    question.onAnswer(async (answer) => {
      const identity = identityOf(answer);
      if (!identity) return question.object(`Please enter your ${label.toLowerCase()}.`);
      await link.sendCode(identity);
      resolve(identity);
    }, reject);
    show({
      icon: 'person',
      title: 'Confirm who you are',
      parts: [
        paragraph(
          'This link is meant for certain people. Enter where we can reach you, and you get a code that opens it.',
        ),
        question.form,
      ],
    });
  });
}

/** Resolves with true when the code was right, with false when the visitor wants to be somebody else. */
function askCode(link: Link, identity: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const hint = 'It has 6 digits and is valid for 10 minutes.';
    const question = new Question({ id: 'code', label: 'Code', hint, button: 'Continue' }, codeField);
    question.onAnswer(async (answer) => {
      const code = answer.replace(/\D/g, '');
      if (code.length !== 6) return question.object('The code has 6 digits.');
      await link.confirmCode(identity, code);
      resolve(true);
    }, reject);
    const again = resendButton(question, () => link.sendCode(identity), reject);
    const other = button(
      identity.startsWith('+') ? 'Use another number' : 'Use another address',
      () => resolve(false),
      'quiet',
    );
    show({
      icon: 'person',
      title: 'Enter the code',
      parts: [
        paragraph(
          'If this link is for ',
          element('strong', {}, element('bdi', {}, identity)),
          ', a code is on its way there.',
        ),
        question.form,
        actions(again, other),
      ],
      focus: question.field,
    });
  });
}

const codeField = {
  type: 'text',
  inputmode: 'numeric',
  autocomplete: 'one-time-code',
  // Room for what people paste around the digits.
  maxlength: '20',
  class: 'code',
};

/** Sends again, at most twice a minute: the first message may be on its way still. */
function resendButton(question: Question, send: () => Promise<unknown>, onFailure: (error: unknown) => void) {
  const made = button(
    '',
    () => {
      wait();
      question.work(async () => {
        await send();
        say('Another code is on its way. The previous one no longer works.');
      }, onFailure);
    },
    'quiet',
  );
  const wait = () => {
    let left = PAUSE_SECONDS;
    const tick = () => {
      rest(made, left > 0);
      made.textContent = left > 0 ? `Send again (${left} s)` : 'Send again';
      if (left-- > 0) setTimeout(tick, 1_000);
    };
    tick();
  };
  wait();
  return made;
}

/** A form of one field, and what is wrong with the answer. */
class Question {
  readonly form: HTMLFormElement;
  readonly field: HTMLInputElement;
  readonly #problem = element('p', { class: 'problem', role: 'alert', id: 'problem' });
  readonly #button: HTMLButtonElement;

  constructor(
    texts: { id: string; label: string; hint: string; button: string },
    field: Readonly<Record<string, string>>,
    typed = '',
  ) {
    const { id, label, hint } = texts;
    this.field = element('input', { id, maxlength: '254', 'aria-describedby': 'hint problem', ...field });
    this.field.value = typed;
    this.#button = element('button', {}, texts.button);
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
