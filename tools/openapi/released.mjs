import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = fileURLToPath(new URL('../../docs/api/released.json', import.meta.url));

/** Members that no client depends on. */
const prose = new Set([
  'description',
  'summary',
  'example',
  'examples',
  'x-codeSamples',
  'tags',
  'x-tagGroups',
]);

/** @returns {Record<string, any>} the document that was released last */
export function releasedDocument() {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** @param {object} document replaces the released one; only its contract is kept, without prose */
export function release(document) {
  writeFileSync(path, `${JSON.stringify(contractOf(document), null, 1)}\n`);
}

/**
 * A field may be named like a member of OpenAPI, so what `properties` holds is kept.
 * @param {unknown} value
 * @param {string} [holder] the name of the member that holds the value
 * @returns {unknown}
 */
function contractOf(value, holder) {
  if (Array.isArray(value)) return value.map((item) => contractOf(item));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => isKept(name, holder));
  return Object.fromEntries(entries.map(([name, member]) => [name, contractOf(member, name)]));
}

/**
 * Clients handle errors by code and status, so only the successes of an operation are compared.
 * @param {string} name
 * @param {string} [holder]
 */
function isKept(name, holder) {
  if (holder === 'properties') return true;
  return holder === 'responses' ? name < '300' : !prose.has(name);
}
