import { ValidateBy, ValidateIf } from 'class-validator';
import { registerField, type Class, type JsonSchema } from './schema.js';

/** Options of every field. */
export interface Options {
  /** For the API reference. */
  readonly description?: string;
  /** The field may be absent. Its default is the initializer of the property. */
  readonly optional?: boolean;
  /** The field may be null, with a meaning that the description states. */
  readonly nullable?: boolean;
  /** The name that other answers have for this field. Both are there: older clients read this one. */
  readonly olderNameOf?: string;
}

/**
 * Builds the field decorators of the contracts. One decorator gives a field its run-time checks (class-validator), its
 * JSON Schema (OpenAPI, fuzzer) and its entry in the allow-list of request and reply fields. `nested`: the class of an
 * object or of the items of a list. `values`: the class of the values of a map.
 */
export function field(
  schema: JsonSchema,
  options: Options,
  checks: PropertyDecorator[],
  nested?: () => Class,
  values?: () => Class,
): PropertyDecorator {
  return (target, key) => {
    const described = { ...schema, ...documentationOf(options) };
    registerField(target, String(key), {
      schema: options.nullable ? nullable(described) : described,
      optional: options.optional ?? false,
      nested,
      values,
    });
    for (const check of checks) check(target, key);
    // Not class-validator's IsOptional, which also accepts null where only absence is allowed.
    const skip = (value: unknown) =>
      (options.optional && value === undefined) || (options.nullable && value === null);
    ValidateIf((object: Record<string, unknown>) => !skip(object[String(key)]))(target, key);
  };
}

function documentationOf({ description, olderNameOf }: Options): JsonSchema {
  if (olderNameOf === undefined) return description === undefined ? {} : { description };
  const sentence = `The older name of \`${olderNameOf}\`.`;
  return { description: [sentence, description].filter(Boolean).join(' '), deprecated: true };
}

function nullable(schema: JsonSchema): JsonSchema {
  const withNull = { ...schema, type: [schema.type as string, 'null'] };
  return schema.enum ? { ...withNull, enum: [...schema.enum, null] } : withNull;
}

/** Refuses lone surrogates: they have no UTF-8 and would silently be stored as U+FFFD. */
export function WellFormed(): PropertyDecorator {
  return ValidateBy({
    name: 'wellFormed',
    validator: {
      validate: (value) => typeof value === 'string' && value.isWellFormed(),
      defaultMessage: () => '$property must be a string of well-formed Unicode',
    },
  });
}

/** Refuses strings with fewer than `min` or more than `max` code points. */
export function CodePoints(min: number, max: number): PropertyDecorator {
  return ValidateBy({
    name: 'codePoints',
    validator: {
      validate: (value) => typeof value === 'string' && hasCodePoints(value, min, max),
      defaultMessage: () =>
        `$property must have ${min === 0 ? `${max} characters at most` : `${min} to ${max} characters`}`,
    },
  });
}

/** Counts code points. One has one or two UTF-16 units, so the length decides most strings without copying them. */
export function hasCodePoints(text: string, min: number, max: number): boolean {
  const units = text.length;
  if (units <= max && units >= 2 * min) return true;
  if (units > 2 * max || units < min) return false;
  const count = [...text].length;
  return count >= min && count <= max;
}
