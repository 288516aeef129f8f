import openapiTS, { astToString } from 'openapi-typescript';
import { loadSource } from '../build/load-source.mjs';

const HEADER = '// Written by `npm run docs` from the contracts.\n';

/** @typedef {Record<string, any>} Json */

/** @returns {Promise<string>} libs/client/src/generated/api.ts: the types of all calls and of the components */
export async function clientTypes() {
  const { clientDocument } = await source();
  const nodes = await openapiTS(callsOf(clientDocument()), {
    alphabetize: true,
    exportType: true,
    // Callers may omit a field that has a default.
    defaultNonNullable: false,
  });
  return HEADER + astToString(nodes);
}

/** @returns {Promise<string>} libs/client/src/generated/call-rules.ts: which calls may be repeated */
export async function clientCallRules() {
  const { clientDocument, repeatableCalls } = await source();
  return [
    HEADER,
    '/** The calls that only read; a repetition has no effect. */',
    list('repeatableCalls', repeatableCalls()),
    '',
    '/** The calls that accept an `Idempotency-Key`. */',
    list('keyedCalls', keyedCalls(clientDocument())),
    '',
  ].join('\n');
}

const source = () => loadSource(new URL('./client-document.ts', import.meta.url), 'docs');

/**
 * The document without what calls do not need: the paths of Forge, whose URLs `upload` and `download` get from the API, and
 * error responses and headers, because each error is an `ApiError`, and examples.
 * @param {Json} document
 */
function callsOf({ openapi, info, paths, components }) {
  const calls = Object.entries(paths).filter(([path]) => /^\/(v1|\.well-known|\{link_code\})\//.test(path));
  return {
    openapi,
    info,
    paths: Object.fromEntries(calls.map(([path, item]) => [path, mapOperations(item, withoutErrors)])),
    components: { schemas: components.schemas, parameters: components.parameters },
  };
}

/**
 * @param {Json} item
 * @param {(operation: Json) => Json} change
 */
function mapOperations(item, change) {
  const isOperation = (/** @type {unknown} */ value) =>
    typeof value === 'object' && value !== null && 'responses' in value;
  return Object.fromEntries(
    Object.entries(item).map(([key, value]) => [key, isOperation(value) ? change(value) : value]),
  );
}

/** @param {Json} operation */
function withoutErrors(operation) {
  const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  const responses = successes.map(([status, { description, content }]) => [status, { description, content }]);
  return JSON.parse(
    JSON.stringify({ ...operation, responses: Object.fromEntries(responses) }, (key, value) =>
      key === 'example' || key === 'examples' ? undefined : value,
    ),
  );
}

/** @param {Json} document */
function keyedCalls({ paths }) {
  const calls = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => operation.parameters?.some(isIdempotencyKey))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
  return calls.sort();
}

/** @param {Json} parameter a reference ends in its name */
function isIdempotencyKey({ name, $ref }) {
  return /(^|\/)idempotency-?key$/i.test(name ?? $ref ?? '');
}

/**
 * @param {string} name
 * @param {readonly string[]} calls
 */
function list(name, calls) {
  const lines = calls.map((call) => `  '${call}',`);
  return [`export const ${name}: ReadonlySet<string> = new Set([`, ...lines, ']);'].join('\n');
}
