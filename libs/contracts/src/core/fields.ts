import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  Matches,
  Max,
  Min,
  NotContains,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { idPattern, type IdPrefix } from './ids.js';
import { CodePoints, field, hasCodePoints, WellFormed, type Options } from './field.js';
import type { Class } from './schema.js';

export { Email, HttpsUrl, Identity, IdentityList } from './contact-fields.js';

/** C0 and C1 controls, and bidirectional overrides, which display a name as a different one (UTS #39). */
const UNSAFE_IN_NAMES = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

/** Text of `min` (default 0) to `max` code points. It may contain NUL only with `raw` (OPEN-55). */
export function Text(options: Options & { min?: number; max: number; raw?: boolean }): PropertyDecorator {
  const { min = 0, max, raw = false } = options;
  const checks = [WellFormed(), CodePoints(min, max)];
  if (!raw) checks.push(NotContains('\0', { message: '$property must not contain NUL' }));
  return field({ type: 'string', minLength: min, maxLength: max }, options, checks);
}

/** A visible character: neither white space nor ignorable, such as U+200B. */
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}]/u;

/**
 * A display name of 1 to `max` code points: not blank, no control characters, no bidirectional overrides. With `min` 0 it may
 * be empty.
 */
export function Name(options: Options & { min?: 0; max: number }): PropertyDecorator {
  const { min = 1, max } = options;
  return field({ type: 'string', minLength: min, maxLength: max }, options, [
    WellFormed(),
    CodePoints(min, max),
    ValidateBy({
      name: 'displayName',
      validator: {
        validate: (value) => (min === 0 && value === '') || isDisplayName(value),
        defaultMessage: () => '$property must not be blank or contain control characters',
      },
    }),
  ]);
}

function isDisplayName(value: unknown): boolean {
  return typeof value === 'string' && VISIBLE.test(value) && !UNSAFE_IN_NAMES.test(value);
}

/** Text of at most `max` (default 256) code points that matches a pattern; `says` completes "must be" in the error. */
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

/** An id with this prefix, for example `spk_…`. */
export function IdOf(prefix: IdPrefix, options: Options = {}): PropertyDecorator {
  const pattern = idPattern(prefix);
  return field({ type: 'string', pattern: pattern.source }, options, [
    Matches(pattern, { message: `$property must be a ${prefix}_ id` }),
  ]);
}

/** An integer in JSON; 1.5, "10" and true are refused. */
export function Int(options: Options & { min?: number; max?: number } = {}): PropertyDecorator {
  const { min, max } = options;
  const message = { message: `$property must be an integer${rangeOf(min, max)}` };
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

function rangeOf(min: number | undefined, max: number | undefined): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  if (min !== undefined) return ` of ${min} or more`;
  return max === undefined ? '' : ` of ${max} at most`;
}

/** A number in JSON that need not be an integer, such as a rate. */
export function Decimal(options: Options & { min?: number } = {}): PropertyDecorator {
  const { min } = options;
  const message = { message: `$property must be a number${rangeOf(min, undefined)}` };
  const checks = [IsNumber({}, message)];
  if (min !== undefined) checks.push(Min(min, message));
  return field({ type: 'number', ...(min !== undefined && { minimum: min }) }, options, checks);
}

/** A time in seconds since the Unix epoch, never milliseconds (ENV-08). */
export function EpochSeconds(options: Options = {}): PropertyDecorator {
  return field({ type: 'integer', minimum: 0, maximum: 99_999_999_999 }, options, [
    IsInt(),
    Min(0),
    Max(99_999_999_999, { message: '$property must be in seconds, not in milliseconds' }),
  ]);
}

/** A boolean. */
export function Flag(options: Options = {}): PropertyDecorator {
  return field({ type: 'boolean' }, options, [IsBoolean({ message: '$property must be true or false' })]);
}

/** One of a closed list of strings. */
export function OneOf(values: readonly string[], options: Options = {}): PropertyDecorator {
  return field({ type: 'string', enum: values }, options, [
    IsIn([...values], { message: `$property must be one of ${values.join(', ')}` }),
  ]);
}

/** An object with the fields of another contract class. */
export function Nested(type: () => Class, options: Options = {}): PropertyDecorator {
  return field({ type: 'object' }, options, [IsObject(), ValidateNested()], type);
}

/** A list of at most `max` objects of another contract class; without `max` its length is unlimited. */
export function ListOf(type: () => Class, options: Options & { max?: number } = {}): PropertyDecorator {
  const isNoList = { name: 'noList', validator: { validate: (item: unknown) => !Array.isArray(item) } };
  const message = '$property must hold objects';
  const checks = [IsArray(), ValidateBy(isNoList, { each: true, message }), ValidateNested({ each: true })];
  if (options.max !== undefined) checks.push(ArrayMaxSize(options.max));
  return field(
    { type: 'array', ...(options.max !== undefined && { maxItems: options.max }) },
    options,
    checks,
    type,
  );
}

/** An object, in replies, whose keys the caller chose; each value has the fields of a contract class. */
export function MapOf(type: () => Class, options: Options = {}): PropertyDecorator {
  return field({ type: 'object' }, options, [IsObject()], undefined, type);
}

/** A list of at most `maxItems` strings of at most `max` code points. */
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

/** A JSON object with keys of the caller: at most `bytesMax` bytes of JSON text, at most `depthMax` (default 5) levels. */
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

/**
 * Whether a value is a JSON object or list within these bounds that PostgreSQL's jsonb returns unchanged: it contains
 * neither NUL nor lone surrogates, and only finite numbers (`1e999` parses to Infinity and would be stored as null).
 */
function isSmallJson(value: unknown, bytesMax: number, depthMax: number): boolean {
  // class-validator runs every check of a field, even after one has failed.
  if (typeof value !== 'object' || value === null) return false;
  if (depthOf(value) > depthMax || !hasFiniteNumbers(value)) return false;
  const text = JSON.stringify(value);
  return Buffer.byteLength(text) <= bytesMax && !/\\u(0000|d[89a-f])/i.test(text.replaceAll('\\\\', ''));
}

function hasFiniteNumbers(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(hasFiniteNumbers);
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Object.values(value).reduce<number>((deepest, inner) => Math.max(deepest, depthOf(inner)), 0);
}

/** The cursor of a list (ENV-13). The gateway verifies and decodes it; the handler receives the position. */
export function Cursor({ max = 2_048 }: { max?: number } = {}): PropertyDecorator {
  return Text({
    max,
    optional: true,
    description: 'The cursor of the previous page.',
  });
}
