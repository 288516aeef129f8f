import { describe, expect, it } from '@jest/globals';
import { operations } from '@vaultsvc/contracts/catalog';
import { NearestPath } from './nearest-path.js';
import { Router } from './router.js';

const router = new Router(operations.filter(({ http }) => http.surface !== 'links'));
const nearest = new NearestPath(router);

describe('OPEN-55: the path that an unknown one is near', () => {
  it.each([
    ['/v1/spark', '/v1/sparks'],
    ['/v1/sparks/', '/v1/sparks'],
    ['/v1//sparks', '/v1/sparks'],
    ['/V1/Sparks', '/v1/sparks'],
    ['/v1/api_keys', '/v1/api-keys'],
    ['/v1/apiKeys/', '/v1/api-keys'],
    ['/v1/spark/spk_secret', '/v1/sparks/{spark_id}'],
    ['/v1/vault/vlt_1/ingot', '/v1/vaults/{vault_id}/ingots'],
  ])('of %s is %s', (path, template) => expect(nearest.find(path)).toBe(template));

  it.each([
    '/v1/nothing',
    '/v1/',
    '/',
    '',
    '/v1/sparks/a/b/c/d',
    '/v2/sparks',
    '/sparks',
    '/v1/openapi.json',
  ])('of %s is none', (path) => expect(nearest.find(path)).toBeUndefined());

  it('is each declared path itself', () => {
    for (const path of router.paths) expect(nearest.find(path)).toBe(path);
  });
});
