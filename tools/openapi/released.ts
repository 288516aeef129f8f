import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { OpenApiDocument } from './breaking-changes.ts';

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

/** @returns the document that was released last */
export function releasedDocument(): OpenApiDocument {
  return JSON.parse(readFileSync(path, 'utf8')) as OpenApiDocument;
}

/** @param document replaces the released one; only its contract is kept, without prose */
export function release(document: object) {
  writeFileSync(path, `${JSON.stringify(contractOf(document), null, 1)}\n`);
}

/**
 * A field may be named like a member of OpenAPI, so what `properties` holds is kept.
 * @param holder the name of the member that holds the value
 */
function contractOf(value: unknown, holder?: string): unknown {
  if (Array.isArray(value)) return value.map((item) => contractOf(item));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => isKept(name, holder));
  return Object.fromEntries(entries.map(([name, member]) => [name, contractOf(member, name)]));
}

/** Clients handle errors by code and status, so only the successes of an operation are compared. */
function isKept(name: string, holder?: string) {
  if (holder === 'properties') return true;
  return holder === 'responses' ? name < '300' : !prose.has(name);
}
