import { actions, button, element, paragraph, setDisabled } from '../../page-client/elements.js';
import { normalizeIdentity } from './format.js';
import type { CodeMethod, LinkApi } from './link-api.js';
import { OneFieldForm, type FormOptions } from './one-field-form.js';
import { announce, showScreen } from './screen.js';

const RESEND_AFTER_SECONDS = 30;

/** The texts for a kind of identity. */
type IdentityTexts = Pick<FormOptions, 'label' | 'field' | 'hint'>;

const identityTexts: Readonly<Record<'email' | 'sms' | 'both', IdentityTexts>> = {
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

/** Verifies an identity of the visitor by a code. Rejects with errors that the visitor cannot correct. */
export async function verifyByCode(link: LinkApi, methods: readonly CodeMethod[]): Promise<void> {
  const texts = identityTexts[methods.length === 1 ? (methods[0] as CodeMethod) : 'both'];
  let identity = '';
  do identity = await askIdentity(link, texts, identity);
  while (!(await askCode(link, identity)));
}

/** Resolves with the identity to which a code was sent. */
function askIdentity(link: LinkApi, texts: IdentityTexts, previous: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const noun = texts.label.toLowerCase();
    const form = new OneFieldForm({ id: 'identity', button: 'Send the code', ...texts, value: previous });
    form.onSubmit(async (value) => {
      const identity = normalizeIdentity(value);
      if (!identity) return form.showProblem(`Please enter your ${noun}.`);
      await link.sendCode(identity);
      resolve(identity);
    }, reject);
    showScreen({
      icon: 'person',
      title: 'Confirm who you are',
      parts: [
        paragraph(`The sender wants to know who opens this link. Enter your ${noun} to get a code.`),
        form.element,
      ],
    });
  });
}

/** Resolves with true for the right code, with false when the visitor chooses another identity. */
function askCode(link: LinkApi, identity: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const form = new OneFieldForm(codeForm);
    form.onSubmit(async (value) => {
      const code = value.replace(/\D/g, '');
      if (code.length !== 6) return form.showProblem('The code has 6 digits.');
      await link.confirmCode(identity, code);
      resolve(true);
    }, reject);
    const again = resendButton(form, () => link.sendCode(identity), reject);
    const other = button(
      identity.startsWith('+') ? 'Use another number' : 'Use another address',
      () => resolve(false),
      'quiet',
    );
    showScreen({
      icon: 'person',
      title: 'Enter the code',
      parts: [
        paragraph(
          'If this link is for ',
          element('strong', {}, element('bdi', {}, identity)),
          ', a code is on its way there.',
        ),
        form.element,
        actions(again, other),
      ],
      focus: form.field,
    });
  });
}

const codeForm: FormOptions = {
  id: 'code',
  label: 'Code',
  hint: 'It has 6 digits and is valid for 10 minutes.',
  button: 'Continue',
  field: {
    type: 'text',
    inputmode: 'numeric',
    autocomplete: 'one-time-code',
    // Leaves room for characters that are pasted with the digits.
    maxlength: '20',
    class: 'code',
  },
};

/** Sends another code, at most twice a minute, because the first message may still be under way. */
function resendButton(form: OneFieldForm, send: () => Promise<unknown>, onFailure: (error: unknown) => void) {
  const resend = button(
    '',
    () => {
      wait();
      form.run(async () => {
        await send();
        announce('Another code is on its way. The previous one no longer works.');
      }, onFailure);
    },
    'quiet',
  );
  const wait = () => {
    let left = RESEND_AFTER_SECONDS;
    const tick = () => {
      setDisabled(resend, left > 0);
      resend.textContent = left > 0 ? `Send again (${left} s)` : 'Send again';
      if (left-- > 0) setTimeout(tick, 1_000);
    };
    tick();
  };
  wait();
  return resend;
}
