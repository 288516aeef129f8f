import type { DocumentedOperation, Schema, Schemas } from './openapi-document.js';
import type { Field, Fields, Rule } from './rules.js';

type Documented = Readonly<Record<string, { readonly schema: Schema; readonly required: boolean }>>;

export const queryOf = ({ parameters }: DocumentedOperation): Documented =>
  Object.fromEntries(
    (parameters ?? [])
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, required = false, schema, description }) => [
        name,
        { schema: { ...schema, ...(description !== undefined && { description }) }, required },
      ]),
  );

export function bodyOf({ requestBody }: DocumentedOperation, schemas: Schemas): Documented {
  const [media] = Object.values(requestBody?.content ?? {});
  const { properties = {}, required = [] } = media?.schema ? schemas.resolve(media.schema) : {};
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const solid = (schema.oneOf ?? schema.anyOf)?.find((one) => one.type !== 'null') ?? schema;
      return [
        name,
        {
          schema: {
            ...schemas.resolve(solid),
            ...(schema.default !== undefined && { default: schema.default }),
          },
          required: required.includes(name),
        },
      ];
    }),
  );
}

/** Where documented fields differ from those of the row. */
export function ofFields(part: string, fields: Fields = {}, documented: Documented): string[] {
  const unknown = Object.keys(documented).filter((name) => !(name in fields));
  return [
    ...unknown.map((name) => `${part}.${name} is not in the row`),
    ...Object.entries(fields).flatMap(([name, field]) => {
      const found = documented[name];
      return found
        ? ofField(`${part}.${name}`, field, found.schema, found.required)
        : [`${part}.${name} is missing`];
    }),
  ];
}

function ofField(
  at: string,
  { rule, required, otherwise }: Field,
  schema: Schema,
  isRequired: boolean,
): string[] {
  const wrong = required === isRequired ? [] : [`${at} is ${isRequired ? '' : 'not '}required`];
  const isScalar = otherwise !== undefined && typeof otherwise !== 'object' && rule.kind !== 'free';
  // A default that depends on other fields stands in the description.
  const isDescribed = new RegExp(`\\b${String(otherwise)}\\b`).test(schema.description ?? '');
  const isOther = isScalar && schema.default !== otherwise && !isDescribed;
  return [
    ...wrong,
    ...(isOther ? [`${at} has the default ${String(schema.default)}, not ${String(otherwise)}`] : []),
    ...ofRule(at, rule, schema),
  ];
}

function ofRule(
  at: string,
  rule: Rule,
  { minimum, maximum, minLength, maxLength, maxItems, pattern, enum: values }: Schema,
): string[] {
  const differs = (what: string, given: unknown, expected: unknown) =>
    String(given) === String(expected) ? [] : [`${at} has ${what} ${String(given)}, not ${String(expected)}`];
  switch (rule.kind) {
    case 'range':
      return [
        ...differs('the minimum', minimum, rule.min),
        ...(rule.max === Number.MAX_SAFE_INTEGER ? [] : differs('the maximum', maximum, rule.max)),
      ];
    case 'length':
      if (pattern !== undefined) return ofPattern(at, new RegExp(pattern, 'u'), rule.min, rule.max);
      return [
        ...differs('the least length', minLength ?? 0, rule.min),
        ...differs('the length', maxLength, rule.max),
      ];
    case 'entries':
      return maxItems === undefined ? [] : differs('the entries', maxItems, rule.max);
    case 'oneOf':
      return differs('the values', values?.filter((one) => one !== null).toSorted(), rule.values.toSorted());
    default:
      return [];
  }
}

/** A pattern bounds the length more narrowly than `maxLength`. */
function ofPattern(at: string, pattern: RegExp, min: number, max: number): string[] {
  const lengths = [min - 1, min, max, max + 1].filter((length) => length >= 0);
  const accepted = lengths.filter((length) => pattern.test('x'.repeat(length)));
  return String(accepted) === String([min, max]) ? [] : [`${at} accepts the lengths ${accepted.join()}`];
}
