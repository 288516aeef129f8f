import { ValidateBy, ValidateIf } from 'class-validator';
import { registerField, type Class, type JsonSchema } from './schema.js';

/** What every field may say of itself. */
export interface Options {
  /** One sentence for the API reference. */
  readonly description?: string;
  /** May be absent. A default is the property's initializer. */
  readonly optional?: boolean;
  /** `null` is a value of its own (clears, "never", …). */
  readonly nullable?: boolean;
}

/**
 * What the field vocabulary of the contracts is made of. One decorator gives a field its run-time check
 * (class-validator), its JSON Schema (OpenAPI, the fuzzer) and its place in the allow-list of what may enter or leave.
 */
export function field(
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
export function WellFormed(): PropertyDecorator {
  return ValidateBy({
    name: 'wellFormed',
    validator: {
      validate: (value) => typeof value === 'string' && value.isWellFormed(),
      defaultMessage: () => '$property must be a string of well-formed Unicode',
    },
  });
}

/** Characters are code points, as people count them. */
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

/** A code point is one or two UTF-16 units: most texts are decided by their length, without a copy of 256 KB. */
export function hasCodePoints(text: string, min: number, max: number): boolean {
  const units = text.length;
  if (units <= max && units >= 2 * min) return true;
  if (units > 2 * max || units < min) return false;
  const count = [...text].length;
  return count >= min && count <= max;
}
