import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { currentDocument } from '../../../../tools/openapi/document.js';
import { rows } from './index.js';
import { Schemas, type DocumentedOperation, type OpenApi } from './openapi-document.js';
import { documentDeviations } from './openapi-row.js';
import { ownBounds } from './own-bounds.js';
import { requestBounds } from './request-bounds.js';

const document = currentDocument() as OpenApi;
const schemas = new Schemas(document);

/** Of a path with servers of its own, the server's path comes before it. */
function routeOf(method: string, path: string, { servers: [server] = [] }: DocumentedOperation): string {
  const base = server ? new URL(server.url).pathname.replace(/\/$/, '') : '';
  return `${method.toUpperCase()} ${base}${path}`;
}

const documented = new Map(
  Object.entries(document.paths).flatMap(([path, methods]) => {
    const {
      servers,
      parameters: _,
      ...operations
    } = methods as unknown as Record<string, DocumentedOperation> & {
      servers?: DocumentedOperation['servers'];
    };
    return Object.entries(operations).map(([method, operation]) => {
      const own = { ...(servers && { servers }), ...operation };
      return [routeOf(method, path, own), own] as const;
    });
  }),
);

describe('MISC-04: the golden table and the OpenAPI document', () => {
  it('have the same operations', () => {
    const routes: string[] = rows.map(({ route }) => route);
    expect({
      withoutRow: [...documented.keys()].filter((route) => !routes.includes(route)),
      undocumented: routes.filter((route) => !documented.has(route)),
      repeated: routes.filter((route, index) => routes.indexOf(route) !== index),
    }).toEqual({ withoutRow: [], undocumented: [], repeated: [] });
  });

  it.each(rows)('$law: $route is documented as its row says', (row) => {
    const operation = documented.get(row.route) as DocumentedOperation;
    expect(documentDeviations(row, operation, schemas)).toEqual([]);
  });
});

describe('ENV-20 OPEN-33: the bounds of what callers send', () => {
  const bounds = [...documented].flatMap(([route, operation]) =>
    [...requestBounds(operation, schemas)].map(([field, bound]) => ({ route, field, bound })),
  );
  const keyOf = ({ route, field }: { route: string; field: string }) =>
    `${route} ${field}` in ownBounds ? `${route} ${field}` : field;

  it('are those of the table', () => {
    expect(bounds.filter((found) => !isDeepStrictEqual(ownBounds[keyOf(found)], found.bound))).toEqual([]);
  });

  it('are all there', () => {
    const keys = new Set(bounds.map(keyOf));
    expect(Object.keys(ownBounds).filter((key) => !keys.has(key))).toEqual([]);
  });
});

describe('The golden table', () => {
  const folder = new URL('.', import.meta.url);
  const files = readdirSync(folder).filter((name) => /^[\w-]+\.ts$/.test(name));

  it('imports nothing but itself and Node: rows from the contracts would prove nothing', () => {
    const imports = files.flatMap((name) =>
      [...readFileSync(new URL(name, folder), 'utf8').matchAll(/(?:\sfrom\s|import\()\s*'([^']+)'/g)].map(
        ([, specifier = '']) => `${name}: ${specifier}`,
      ),
    );
    expect(imports.filter((line) => !/: (\.\/[\w-]+\.js|node:[\w/]+)$/.test(line))).toEqual([]);
  });
});
