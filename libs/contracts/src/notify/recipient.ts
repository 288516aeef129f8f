import { ArrayMaxSize, ArrayMinSize, IsArray, ValidateBy } from 'class-validator';
import { field } from '../core/field.js';
import {
  EMAIL_CHARACTERS_MAX,
  EMAIL_PROBLEM,
  identityTypeOf,
  isEmail,
  PHONE_PROBLEM,
} from '../core/identity.js';

/** Most recipients of a send (NTF-02). */
export const RECIPIENTS_MAX = 500;
/** Most characters of a directory id. */
export const DIRECTORY_ID_MAX = 128;

/** A recipient in full (NTF-04). `id` is the sender's own id of the person, under which preferences are kept (NTF-35). */
export interface RecipientObject {
  readonly id?: string;
  readonly email?: string;
  readonly phone?: string;
}

/** A recipient: an e-mail address, an E.164 phone number, a directory id, or an object of these. */
export type RecipientInput = string | RecipientObject;

const DIRECTORY_ID = /^[^\s\p{C}](?:[^\p{C}]{0,126}[^\s\p{C}])?$/u;

function isDirectoryId(value: unknown): boolean {
  return typeof value === 'string' && value.isWellFormed() && DIRECTORY_ID.test(value);
}

/** Also with a name, as in `Ann <ann@x.test>`. */
const EMAIL_FORM = /^[^\s@]+@[^\s@]+\.[^\s@]*$|<[^\s@]+@[^\s@]+>$/u;
/** A number with a country code and with the separators that people write. */
const PHONE_FORM = /^\+[\d\s().\p{Pd}/]{7,}$/u;

/** On a longer text the time of the first pattern, which grows with the square of the length, would matter. */
const FORM_CHARACTERS_MAX = 1_000;

function isInForm(form: RegExp, text: unknown): boolean {
  return typeof text === 'string' && text.length <= FORM_CHARACTERS_MAX && form.test(text);
}

/**
 * Whether a text can name a recipient: an id of the sender's directory, an e-mail address or an E.164 phone number. A text in
 * the form of an address or number that is none would otherwise be an id that no message reaches.
 */
export function isRecipientText(text: string): boolean {
  if (identityTypeOf(text) !== undefined) return true;
  return isDirectoryId(text) && ![EMAIL_FORM, PHONE_FORM].some((form) => isInForm(form, text));
}

/** Why a text cannot name a recipient, without its field. */
export function recipientProblem(text: unknown): string {
  if (isInForm(EMAIL_FORM, text)) return EMAIL_PROBLEM;
  if (isInForm(PHONE_FORM, text)) return PHONE_PROBLEM;
  return 'must be an id of your directory, an e-mail address or an E.164 phone number';
}

function isRecipient(value: unknown): boolean {
  if (typeof value === 'string') return isRecipientText(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { id, email, phone } = value as Record<string, unknown>;
  const given = [id, email, phone].filter((part) => part !== undefined && part !== null);
  return (
    given.length > 0 &&
    isOptional(id, isDirectoryId) &&
    isOptional(email, isAddress) &&
    isOptional(phone, isPhone)
  );
}

function isOptional(value: unknown, check: (value: unknown) => boolean): boolean {
  return value === undefined || value === null || check(value);
}

const isAddress = (value: unknown) => typeof value === 'string' && isEmail(value);
const isPhone = (value: unknown) => typeof value === 'string' && identityTypeOf(value) === 'phone';

function listProblem(recipients: unknown): string {
  const wrong: unknown = Array.isArray(recipients) ? recipients.find((one) => !isRecipient(one)) : undefined;
  const email = typeof wrong === 'object' ? (wrong as RecipientObject | null)?.email : wrong;
  const problem = recipientProblem(email);
  if (problem === EMAIL_PROBLEM) return `must hold recipients; each address ${problem}`;
  if (problem === PHONE_PROBLEM) return `must hold recipients; each phone number ${problem}`;
  return 'must hold e-mail addresses, E.164 phone numbers, ids, or objects of id, email and phone';
}

/** 1 to RECIPIENTS_MAX recipients. */
export function Recipients(): PropertyDecorator {
  const id = { type: 'string', maxLength: DIRECTORY_ID_MAX };
  const email = { type: 'string', format: 'email' as const, maxLength: EMAIL_CHARACTERS_MAX };
  const phone = { type: 'string', maxLength: 16 };
  const items = {
    type: ['string', 'object'],
    maxLength: EMAIL_CHARACTERS_MAX,
    properties: { id, email, phone },
  };
  return field(
    { type: 'array', minItems: 1, maxItems: RECIPIENTS_MAX, items },
    {
      description:
        'Each is an e-mail address, an E.164 phone number, an id of your directory, or an object with id, email and phone. Repetitions are collapsed.',
    },
    [
      IsArray(),
      ArrayMinSize(1, { message: '$property must hold at least one recipient' }),
      ArrayMaxSize(RECIPIENTS_MAX, { message: `$property must hold at most ${RECIPIENTS_MAX} recipients` }),
      ValidateBy(
        { name: 'recipient', validator: { validate: isRecipient } },
        {
          each: true,
          message: ({ value }) => `$property ${listProblem(value)}`,
        },
      ),
    ],
  );
}
