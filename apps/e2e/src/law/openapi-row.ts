import type { DocumentedOperation, Schemas } from './openapi-document.js';
import { bodyOf, ofFields, queryOf } from './openapi-fields.js';
import type { RoutedRow } from './index.js';
import type { Credential } from './row.js';

/** Where the document differs from a row. */
export function documentDeviations(
  row: RoutedRow,
  operation: DocumentedOperation,
  schemas: Schemas,
): string[] {
  return [
    ...ofSecurity(row, operation),
    ...ofCallers(row, operation),
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

const callers: Readonly<Record<Credential, string>> = {
  none: 'No credential.',
  optional: '',
  key: 'API key or session.',
  session: 'Session only; API keys are refused.',
  'identity-only': 'A session that has not completed its sign-up.',
  any: 'API key, or a session of either kind.',
  provider: 'Signed by the provider.',
};

/** Roles and access levels have no place in the security of OpenAPI: they stand in the description. */
function ofCallers(
  { by = 'key', role, vat, origin }: RoutedRow,
  { description = '' }: DocumentedOperation,
): string[] {
  if (origin === 'forge') return [];
  const expected: [string, boolean][] = [
    [callers[by], true],
    ['Admins and owners.', role === 'admin'],
    ['A Vault Access Token that may read.', vat === 'read'],
    ['A Vault Access Token that may write.', vat === 'write'],
  ];
  return expected
    .filter(([sentence, isThere]) => description.includes(sentence) !== isThere)
    .map(([sentence, isThere]) => `the description says ${isThere ? 'not ' : ''}"${sentence}"`);
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
function generalErrors({ route }: RoutedRow): string[] {
  return [
    ...['400 VALIDATION_ERROR', '401 AUTHENTICATION_ERROR', '403 FORBIDDEN', '413 PAYLOAD_TOO_LARGE'],
    ...['429 RATE_LIMIT_EXCEEDED', '500 INTERNAL_ERROR'],
    ...(route.includes('{') ? ['404 NOT_FOUND'] : []),
    // An Idempotency-Key under way or with another body (OPEN-67).
    ...(route.startsWith('POST') ? ['409 CONFLICT'] : []),
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
