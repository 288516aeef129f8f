import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  Matches,
  Max,
  Min,
  NotContains,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { idPattern, type IdPrefix } from './ids.js';
import { identityTypeOf } from './identity.js';
import { registerField, type Class, type JsonSchema } from './schema.js';
import { isSmallJson } from './small-json.js';

/**
 * The field vocabulary of the contracts. One decorator gives a field its run-time check (class-validator),
 * its JSON Schema (OpenAPI, the fuzzer) and its place in the allow-list of what may enter or leave.
 */
interface Options {
  /** One sentence for the API reference. */
  readonly description?: string;
  /** May be absent. A default is the property's initializer. */
  readonly optional?: boolean;
  /** `null` is a value of its own (clears, "never", …). */
  readonly nullable?: boolean;
}

function field(
  schema: JsonSchema,
  options: Options,
  checks: PropertyDecorator[],
  nested?: () => Class,
): PropertyDecorator {
  return (target, key) => {
    const described = options.description ? { ...schema, description: options.description } : schema;
    registerField(target, String(key), {
      schema: options.nullable ? nullable(described) : described,
      optional: options.optional ?? false,
      nested,
    });
    for (const check of checks) check(target, key);
    // class-validator's IsOptional would also let null pass where only "absent" is meant.
    const skip = (value: unknown) =>
      (options.optional && value === undefined) || (options.nullable && value === null);
    ValidateIf((object: Record<string, unknown>) => !skip(object[String(key)]))(target, key);
  };
}

function nullable(schema: JsonSchema): JsonSchema {
  const withNull = { ...schema, type: [schema.type as string, 'null'] };
  return schema.enum ? { ...withNull, enum: [...schema.enum, null] } : withNull;
}

/** UTF-16 that cannot be UTF-8 (a lone surrogate) would silently become U+FFFD on the way to the store. */
function WellFormed(): PropertyDecorator {
  return ValidateBy({
    name: 'wellFormed',
    validator: {
      validate: (value) => typeof value === 'string' && value.isWellFormed(),
      defaultMessage: () => '$property must be a string of well-formed Unicode',
    },
  });
}

function CodePoints(min: number, max: number): PropertyDecorator {
  return ValidateBy({
    name: 'codePoints',
    validator: {
      validate: (value) => typeof value === 'string' && hasCodePoints(value, min, max),
      defaultMessage: () => `$property must have ${min} to ${max} characters`,
    },
  });
}

/** A code point is one or two UTF-16 units: most texts are decided by their length, without a copy of 256 KB. */
function hasCodePoints(text: string, min: number, max: number): boolean {
  const units = text.length;
  if (units <= max && units >= 2 * min) return true;
  if (units > 2 * max || units < min) return false;
  const count = [...text].length;
  return count >= min && count <= max;
}

/** C0 and C1 controls, and the bidirectional overrides that let a name show as another. */
const UNSAFE_IN_NAMES = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

/** Free text of 0 to `max` characters (code points); NUL is allowed only where `raw` says so (OPEN-55). */
export function Text(options: Options & { min?: number; max: number; raw?: boolean }): PropertyDecorator {
  const { min = 0, max, raw = false } = options;
  const checks = [WellFormed(), CodePoints(min, max)];
  if (!raw) checks.push(NotContains('\0', { message: '$property must not contain NUL' }));
  return field({ type: 'string', minLength: min, maxLength: max }, options, checks);
}

/** A display name: not blank, no control characters, no bidirectional overrides. */
export function Name(options: Options & { max: number }): PropertyDecorator {
  return field({ type: 'string', minLength: 1, maxLength: options.max }, options, [
    WellFormed(),
    CodePoints(1, options.max),
    ValidateBy({
      name: 'displayName',
      validator: {
        validate: (value) => typeof value === 'string' && value.trim() !== '' && !UNSAFE_IN_NAMES.test(value),
        defaultMessage: () => '$property must not be blank or contain control characters',
      },
    }),
  ]);
}

/** Text of a fixed shape. */
export function Pattern(
  pattern: RegExp,
  options: Options & { max?: number; says: string },
): PropertyDecorator {
  return field({ type: 'string', pattern: pattern.source, maxLength: options.max ?? 256 }, options, [
    WellFormed(),
    CodePoints(0, options.max ?? 256),
    Matches(pattern, { message: `$property must be ${options.says}` }),
  ]);
}

/** An id of one kind, for example `spk_…`. */
export function IdOf(prefix: IdPrefix, options: Options = {}): PropertyDecorator {
  const pattern = idPattern(prefix);
  return field({ type: 'string', pattern: pattern.source }, options, [
    Matches(pattern, { message: `$property must be a ${prefix}_ id` }),
  ]);
}

// RFC 5321, 4.5.3.1: 64 octets of local part; a path of 256 octets with its angle brackets.
// No quoted local parts, and none of the specials of RFC 5322, 3.2.3: one header would read as several addresses.
const EMAIL = /^[^\s@\p{C}()<>[\]:;,\\"]{1,64}@[^\s@\p{C}()<>[\]:;,\\"]+\.[^\s@\p{C}()<>[\]:;,\\"]+$/u;
const EMAIL_CHARACTERS_MAX = 254;

/** Whether a text can be an e-mail address at all. Only a mail that arrives proves more. */
export function isEmail(text: string): boolean {
  return text.length <= EMAIL_CHARACTERS_MAX && EMAIL.test(text);
}

/** An e-mail address. */
export function Email(options: Options = {}): PropertyDecorator {
  return field({ type: 'string', format: 'email', maxLength: EMAIL_CHARACTERS_MAX }, options, [
    WellFormed(),
    ValidateBy({
      name: 'email',
      validator: {
        validate: (value) => typeof value === 'string' && isEmail(value),
        defaultMessage: () => '$property must be an e-mail address',
      },
    }),
  ]);
}

const isIdentity = (value: unknown) => typeof value === 'string' && identityTypeOf(value) !== undefined;

/** Somebody who is reached by mail or by phone: an e-mail address or an E.164 number. */
export function Identity(options: Options = {}): PropertyDecorator {
  return field({ type: 'string', maxLength: EMAIL_CHARACTERS_MAX }, options, [
    WellFormed(),
    ValidateBy({
      name: 'identity',
      validator: {
        validate: isIdentity,
        defaultMessage: () =>
          '$property must be an e-mail address or an E.164 phone number such as +4930123456',
      },
    }),
  ]);
}

/** A list of those, each named once. */
export function IdentityList(options: Options & { maxItems: number }): PropertyDecorator {
  const { maxItems } = options;
  const items = { type: 'string', maxLength: EMAIL_CHARACTERS_MAX };
  return field({ type: 'array', maxItems, items }, options, [
    IsArray(),
    ArrayMaxSize(maxItems, { message: `$property must hold at most ${maxItems}` }),
    ValidateBy(
      { name: 'identities', validator: { validate: isIdentity } },
      { each: true, message: '$property must hold e-mail addresses or E.164 phone numbers' },
    ),
  ]);
}

const URL_CHARACTERS_MAX = 2_048;

/** An absolute https URL without user name, password or blanks. */
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

/** A whole number; 1.5, "10" and true are not whole numbers. */
export function Int(options: Options & { min?: number; max?: number } = {}): PropertyDecorator {
  const { min, max } = options;
  const says = min !== undefined && max !== undefined ? `an integer from ${min} to ${max}` : 'an integer';
  const message = { message: `$property must be ${says}` };
  const checks = [IsInt(message)];
  if (min !== undefined) checks.push(Min(min, message));
  if (max !== undefined) checks.push(Max(max, message));
  return field(
    {
      type: 'integer',
      ...(min !== undefined && { minimum: min }),
      ...(max !== undefined && { maximum: max }),
    },
    options,
    checks,
  );
}

/** Epoch seconds, never milliseconds (ENV-08). */
export function EpochSeconds(options: Options = {}): PropertyDecorator {
  return field({ type: 'integer', minimum: 0, maximum: 99_999_999_999 }, options, [
    IsInt(),
    Min(0),
    Max(99_999_999_999),
  ]);
}

export function Flag(options: Options = {}): PropertyDecorator {
  return field({ type: 'boolean' }, options, [IsBoolean({ message: '$property must be true or false' })]);
}

/** One of a closed list of texts. */
export function OneOf(values: readonly string[], options: Options = {}): PropertyDecorator {
  return field({ type: 'string', enum: values }, options, [
    IsIn([...values], { message: `$property must be one of ${values.join(', ')}` }),
  ]);
}

/** An object with the fields of another contract class. */
export function Nested(type: () => Class, options: Options = {}): PropertyDecorator {
  return field({ type: 'object' }, options, [IsObject(), ValidateNested()], type);
}

/** A list of objects of another contract class. */
export function ListOf(type: () => Class, options: Options & { max?: number } = {}): PropertyDecorator {
  const checks = [IsArray(), ValidateNested({ each: true })];
  if (options.max !== undefined) checks.push(ArrayMaxSize(options.max));
  return field(
    { type: 'array', ...(options.max !== undefined && { maxItems: options.max }) },
    options,
    checks,
    type,
  );
}

/** A list of texts. */
export function TextList(options: Options & { maxItems: number; max: number }): PropertyDecorator {
  const message = { each: true, message: `$property must hold texts of at most ${options.max} characters` };
  return field(
    { type: 'array', maxItems: options.maxItems, items: { type: 'string', maxLength: options.max } },
    options,
    [
      IsArray(),
      ArrayMaxSize(options.maxItems),
      ValidateBy(
        {
          name: 'texts',
          validator: {
            validate: (v) => typeof v === 'string' && v.isWellFormed() && hasCodePoints(v, 0, options.max),
          },
        },
        message,
      ),
    ],
  );
}

/** A JSON object of the caller's own keys, at most `bytesMax` bytes of JSON text and `depthMax` levels deep. */
export function JsonObject(options: Options & { bytesMax: number; depthMax?: number }): PropertyDecorator {
  const { bytesMax, depthMax = 5 } = options;
  return field({ type: 'object' }, options, [
    IsObject(),
    ValidateBy({
      name: 'jsonObject',
      validator: {
        validate: (value) => isSmallJson(value, bytesMax, depthMax),
        defaultMessage: () =>
          `$property must be at most ${bytesMax} bytes of JSON without NUL, ${depthMax} levels deep, its numbers finite`,
      },
    }),
  ]);
}

/** `limit` and `cursor` of a list (ENV-13). Only the gateway reads the cursor; a handler sees the plain position. */
export function Cursor(): PropertyDecorator {
  return Text({
    max: 2_048,
    optional: true,
    description: 'Continue after the page that returned this cursor.',
  });
}
