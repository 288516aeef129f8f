import type { DocumentedOperation, Schema, Schemas } from './openapi-document.js';
import type { RoutedRow } from './index.js';
import type { Credential } from './row.js';
import type { Field, Fields, Rule } from './rules.js';

/** Where the document differs from a row. */
export function documentDeviations(
  row: RoutedRow,
  operation: DocumentedOperation,
  schemas: Schemas,
): string[] {
  return [
    ...ofSecurity(row, operation),
    ...ofAnswer(row, operation, schemas),
    ...ofErrors(row, operation),
    ...ofFields('query', row.query, queryOf(operation)),
    ...ofFields('body', row.body, bodyOf(operation, schemas)),
  ];
}

const byKey = ['apiKey', 'bearer'];
const securities: Readonly<Record<Credential, readonly string[]>> = {
  none: [],
  optional: ['', 'bearer'],
  key: byKey,
  session: ['bearer'],
  'identity-only': ['bearer'],
  any: byKey,
  provider: [], // a signature in headers; or a token of the provider, below
};

/** Schemes of one alternative are joined by `+`. */
function ofSecurity(
  { by = 'key', vat, route, origin }: RoutedRow,
  { security }: DocumentedOperation,
): string[] {
  const given = security.map((alternative) => Object.keys(alternative).toSorted().join('+')).toSorted();
  const isCrmb = /\/(crmb|panel)\//.test(route) && by === 'provider';
  const isTransfer = origin === 'forge' && ['POST /encrypt', 'GET /decrypt', 'GET /progress'].includes(route);
  const schemes = isCrmb ? ['providerToken'] : isTransfer ? ['istk'] : securities[by];
  const withVat = schemes.map((scheme) => (vat ? `${scheme}+vaultAccessToken` : scheme));
  // The Vault Access Token is needed for a send of an ingot alone (OPEN-64).
  const both =
    route === 'POST /v1/products/notify/send'
      ? [...withVat, ...byKey.map((key) => `${key}+vaultAccessToken`)]
      : withVat;
  const expected = both.toSorted();
  return String(given) === String(expected)
    ? []
    : [`security is ${given.join(' or ')}, not ${expected.join(' or ')}`];
}

function ofAnswer(
  { status, data, bare, route }: RoutedRow,
  { responses }: DocumentedOperation,
  schemas: Schemas,
): string[] {
  const successes = Object.keys(responses).filter((code) => code < '300' && route !== 'GET /decrypt');
  const wrong =
    successes.length === 0 || String(successes) === String(status) ? [] : [`status is ${successes.join()}`];
  const [media] = Object.values(responses[String(status)]?.content ?? {});
  if (!data) return wrong;
  if (!media?.schema) return [...wrong, 'the answer has no schema'];
  const body = schemas.resolve(media.schema);
  const payload = bare ? body : body.properties?.['data'];
  return [...wrong, ...(payload ? schemas.deviations(data, payload) : ['the answer has no data'])];
}

/** What any operation may answer; that of a body, an id or a role is there where these are. */
function generalErrors({ role, by = 'key', vat, route, billable }: RoutedRow): string[] {
  return [
    ...['400 VALIDATION_ERROR', '401 AUTHENTICATION_ERROR', '403 FORBIDDEN', '413 PAYLOAD_TOO_LARGE'],
    ...['429 RATE_LIMIT_EXCEEDED', '500 INTERNAL_ERROR'],
    ...(route.includes('{') ? ['404 NOT_FOUND'] : []),
    // An Idempotency-Key under way or with another body (OPEN-67).
    ...(route.startsWith('POST') ? ['409 CONFLICT'] : []),
    ...(role || by || vat || billable ? [] : []),
  ];
}

function ofErrors(row: RoutedRow, { responses }: DocumentedOperation): string[] {
  const documented = Object.entries(responses).flatMap(([status, { description = '' }]) =>
    status < '400'
      ? []
      : [
          ...new Set(
            description.match(/\b[A-Z]+_[A-Z_]+(?=:)|\b(?:FORBIDDEN|CONFLICT|UNAUTHORIZED)(?=:)/g) ?? [],
          ),
        ].map((code) => `${status} ${code}`),
  );
  if (row.origin === 'forge') return [];
  const expected: readonly string[] = row.errors ?? [];
  const general = generalErrors(row);
  return [
    ...expected.filter((error) => !documented.includes(error)).map((error) => `${error} is not documented`),
    ...documented
      .filter((error) => !expected.includes(error) && !general.includes(error))
      .map((error) => `${error} is not in the row`),
  ];
}

type Documented = Readonly<Record<string, { readonly schema: Schema; readonly required: boolean }>>;

const queryOf = ({ parameters }: DocumentedOperation): Documented =>
  Object.fromEntries(
    (parameters ?? [])
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, required = false, schema }) => [name, { schema, required }]),
  );

function bodyOf({ requestBody }: DocumentedOperation, schemas: Schemas): Documented {
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

function ofFields(part: string, fields: Fields = {}, documented: Documented): string[] {
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
