import { describe, expect, it } from '@jest/globals';
import { operation, type HttpBinding, type PublicOperation } from '@vaultsvc/contracts';
import { operations } from '@vaultsvc/contracts/catalog';
import { Router } from './router.js';

const at = (name: string, method: HttpBinding['method'], path: HttpBinding['path']): PublicOperation =>
  operation({
    name: `x.${name}`,
    summary: '',
    http: { method, path, status: 200 },
    access: { credential: 'none' },
  });
const router = new Router([
  at('list', 'GET', '/v1/widgets'),
  at('read', 'GET', '/v1/widgets/{widget_id}'),
  at('search', 'GET', '/v1/widgets/search'),
  at('part', 'GET', '/v1/widgets/{widget_id}/parts/{part_id}'),
  at('special', 'GET', '/v1/widgets/search/parts'),
  at('make', 'POST', '/v1/widgets'),
]);
const found = (path: string, method = 'GET') => {
  const route = router.find(method, path);
  return route && [route.operation.name, route.params];
};

describe('OPEN-55 ENV-26: the router', () => {
  it('finds fixed paths, parameters, and fixed segments before parameters', () => {
    expect(found('/v1/widgets')).toEqual(['x.list', {}]);
    expect(found('/v1/widgets', 'POST')).toEqual(['x.make', {}]);
    expect(found('/v1/widgets/a')).toEqual(['x.read', { widget_id: 'a' }]);
    expect(found('/v1/widgets/search')).toEqual(['x.search', {}]);
    expect(found('/v1/widgets/search/parts')).toEqual(['x.special', {}]);
    expect(found('/v1/widgets/search/parts/p')).toEqual(['x.part', { widget_id: 'search', part_id: 'p' }]);
  });

  it('decodes each segment separately, to undefined where that is not possible', () => {
    expect(found('/v1/widgets/a%2Fb%20c')).toEqual(['x.read', { widget_id: 'a/b c' }]);
    expect(found('/v1/widgets/%ZZ')).toEqual(['x.read', { widget_id: undefined }]);
    expect(found('/v1/widgets/%ff')).toEqual(['x.read', { widget_id: undefined }]);
  });

  it.each([
    '/v1/widgets/',
    '/v1//widgets',
    '/V1/widgets',
    '/v1/Things',
    '/v1/%74hings',
    'v1/widgets',
    '/widgets',
    '/v1/widgets/a/',
    '/',
    '',
    '*',
    '/v1/__proto__',
    '/v1/widgets/a/parts',
  ])('finds nothing at %s', (path) => expect(found(path)).toBeUndefined());

  it.each(['HEAD', 'OPTIONS', 'PUT', 'TRACE', 'get', 'constructor'])(
    'TRAP 14: does not lend a GET to %s',
    (method) => {
      expect(found('/v1/widgets', method)).toBeUndefined();
      expect(found('/v1/widgets/a', method)).toBeUndefined();
    },
  );

  it('knows the methods of a path, also where fixed segments and parameters both match', () => {
    expect(router.methodsOf('/v1/widgets')).toEqual(['GET', 'POST']);
    expect(router.methodsOf('/v1/widgets/%ZZ')).toEqual(['GET']);
    const both = new Router([at('search', 'POST', '/v1/a/search'), at('read', 'GET', '/v1/a/{id}')]);
    expect(both.methodsOf('/v1/a/search')).toEqual(['GET', 'POST']);
    for (const path of ['', '/', '/v1', '/v1/widgets/', '/v1/a/b/c'])
      expect(router.methodsOf(path)).toEqual([]);
  });

  it('refuses two operations with one method and path, also with different parameter names', () => {
    expect(() => new Router([at('a', 'GET', '/v1/a/{x}'), at('b', 'GET', '/v1/a/{y}')])).toThrow(
      'two operations',
    );
  });

  it('OPEN-22 OPEN-23: finds an operation by each of its aliases, and refuses a duplicate alias', () => {
    const { http, ...open } = at('open', 'POST', '/{link_code}/burn');
    const aliased = operation({ ...open, http: { ...http, aliases: ['/{link_code}/open'] } });
    const pages = new Router([aliased]);
    for (const path of ['/c/burn', '/c/open'])
      expect(pages.find('POST', path)).toMatchObject({ operation: aliased, params: { link_code: 'c' } });
    expect(() => new Router([aliased, at('other', 'POST', '/{link_code}/open')])).toThrow('two operations');
  });

  it('ENV-01: finds every operation of the API at its own path, under /v1 except for the key set', () => {
    const ofApi = operations.filter(({ http }) => http.surface === undefined);
    expect(() => new Router(operations)).not.toThrow();
    const outside = ofApi.map(({ http }) => http.path).filter((path) => !path.startsWith('/v1/'));
    expect(outside.filter((path) => path !== '/.well-known/jwks.json')).toEqual([]);
  });
});
