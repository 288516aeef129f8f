import { actions, button, element, paragraph, rest } from './dom.js';
import type { Link } from './link.js';
import { Question, type Inquiry } from './question.js';
import type { VerificationMethod } from './refusal.js';
import { say, show } from './stage.js';
import { identityOf } from './words.js';

const PAUSE_SECONDS = 30;

/** Words for what the visitor proves to have. */
type Wording = Pick<Inquiry, 'label' | 'field' | 'hint'>;

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
function askIdentity(link: Link, wording: Wording, typed: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const noun = wording.label.toLowerCase();
    const question = new Question({ id: 'identity', button: 'Send the code', ...wording, typed });
    question.onAnswer(async (answer) => {
      const identity = identityOf(answer);
      if (!identity) return question.object(`Please enter your ${noun}.`);
      await link.sendCode(identity);
      resolve(identity);
    }, reject);
    show({
      icon: 'person',
      title: 'Confirm who you are',
      parts: [
        paragraph(
          `The sender wants to know who opens this link. Enter your ${noun}, and get a code that opens it.`,
        ),
        question.form,
      ],
    });
  });
}

/** Resolves with true when the code was right, with false when the visitor wants to be somebody else. */
function askCode(link: Link, identity: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const question = new Question(codeInquiry);
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

const codeInquiry: Inquiry = {
  id: 'code',
  label: 'Code',
  hint: 'It has 6 digits and is valid for 10 minutes.',
  button: 'Continue',
  field: {
    type: 'text',
    inputmode: 'numeric',
    autocomplete: 'one-time-code',
    // Room for what people paste around the digits.
    maxlength: '20',
    class: 'code',
  },
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
