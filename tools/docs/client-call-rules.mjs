import { loadSource } from '../build/load-source.ts';

const HEADER = '// Written by `npm run docs` from the contracts.\n';

/** @typedef {Record<string, any>} Json */

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

const source = () => loadSource(new URL('../build/client-document.ts', import.meta.url), 'docs');

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
