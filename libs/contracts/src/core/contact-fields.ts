import { ArrayMaxSize, IsArray, ValidateBy } from 'class-validator';
import { field, WellFormed, type Options } from './field.js';
import { EMAIL_CHARACTERS_MAX, EMAIL_PROBLEM, identityTypeOf, isEmail } from './identity.js';

/** An e-mail address of at most 254 characters. */
export function Email(options: Options = {}): PropertyDecorator {
  return field({ type: 'string', format: 'email', maxLength: EMAIL_CHARACTERS_MAX }, options, [
    WellFormed(),
    ValidateBy({
      name: 'email',
      validator: {
        validate: (value) => typeof value === 'string' && isEmail(value),
        defaultMessage: () => `$property ${EMAIL_PROBLEM}`,
      },
    }),
  ]);
}

const isIdentity = (value: unknown) => typeof value === 'string' && identityTypeOf(value) !== undefined;

/** An address gets the reason of all addresses. */
function identityProblem(value: unknown): string {
  if (typeof value === 'string' && value.includes('@')) return EMAIL_PROBLEM;
  return 'must be an e-mail address or an E.164 phone number such as +4930123456';
}

const NOT_IDENTITIES = 'must hold e-mail addresses or E.164 phone numbers';

function listProblem(values: unknown): string {
  const wrong: unknown = Array.isArray(values) ? values.find((value) => !isIdentity(value)) : undefined;
  const isAddress = typeof wrong === 'string' && wrong.includes('@');
  return isAddress ? `must hold identities; each address ${EMAIL_PROBLEM}` : NOT_IDENTITIES;
}

/** The identity of a person without an account: an e-mail address or an E.164 phone number. */
export function Identity(options: Options = {}): PropertyDecorator {
  return field({ type: 'string', maxLength: EMAIL_CHARACTERS_MAX }, options, [
    WellFormed(),
    ValidateBy({
      name: 'identity',
      validator: {
        validate: isIdentity,
        defaultMessage: (given) => `$property ${identityProblem(given?.value)}`,
      },
    }),
  ]);
}

/** A list of at most `maxItems` identities. */
export function IdentityList(options: Options & { maxItems: number }): PropertyDecorator {
  const { maxItems } = options;
  const items = { type: 'string', maxLength: EMAIL_CHARACTERS_MAX };
  return field({ type: 'array', maxItems, items }, options, [
    IsArray(),
    ArrayMaxSize(maxItems, { message: `$property must hold at most ${maxItems}` }),
    ValidateBy(
      { name: 'identities', validator: { validate: isIdentity } },
      { each: true, message: ({ value }) => `$property ${listProblem(value)}` },
    ),
  ]);
}

const URL_CHARACTERS_MAX = 2_048;

/** An absolute https URL of at most 2,048 characters, without user name, password or white space. */
export function HttpsUrl(options: Options = {}): PropertyDecorator {
  return field({ type: 'string', format: 'uri', maxLength: URL_CHARACTERS_MAX }, options, [
    WellFormed(),
    ValidateBy({
      name: 'httpsUrl',
      validator: {
        validate: (value) => typeof value === 'string' && isHttpsUrl(value),
        defaultMessage: () => `$property must be an https URL of at most ${URL_CHARACTERS_MAX} characters`,
      },
    }),
  ]);
}

function isHttpsUrl(text: string): boolean {
  if (text.length > URL_CHARACTERS_MAX || /[\s\p{C}]/u.test(text) || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return protocol === 'https:' && username === '' && password === '';
}
