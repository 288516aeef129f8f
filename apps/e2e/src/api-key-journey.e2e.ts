import { describe, expect, it } from '@jest/globals';
import { createApiKey, listApiKeys, revokeApiKey } from '@vaultsvc/contracts/auth';
import { listSparks } from '@vaultsvc/contracts/sparks';
import { api } from '@vaultsvc/testing/http';
import { stack } from './stack.js';

const { api_url, account } = stack();
const owner = api(api_url, { key: account.api_key });

describe('an API key', () => {
  it('KEY-04 KEY-05 KEY-10 KEY-13 ENV-38 ENV-39: is shown once and authenticates the account until it is revoked', async () => {
    const made = await owner.call(createApiKey, { body: { name: 'journey', expires_in_days: 1 } });
    const { api_key = '', api_key_id = '' } = made.data ?? {};
    const holder = api(api_url, { key: api_key });
    expect((await holder.call(listSparks, { query: { limit: 1 } })).status).toBe(200);

    const listed = await owner.call(listApiKeys, { query: { limit: 100 } });
    expect(listed.data?.api_keys.map((key) => key.api_key_id)).toContain(api_key_id);
    expect(JSON.stringify(listed.data)).not.toContain(api_key);

    await owner.call(revokeApiKey, { params: { api_key_id } });
    const refused = await holder.call(listSparks, { query: { limit: 1 } });
    expect(refused).toMatchObject({ status: 401, error: { code: 'AUTHENTICATION_ERROR' } });
  });

  it('MISC-07 ENV-21: is required by all but the public operations', async () => {
    const anonymous = api(api_url);
    expect((await anonymous.send({ method: 'GET', target: '/v1/health' })).status).toBe(200);
    expect(
      (await anonymous.send({ method: 'GET', target: '/.well-known/jwks.json', bare: true })).status,
    ).toBe(200);
    for (const target of ['/v1/sparks', '/v1/api-keys']) {
      expect((await anonymous.send({ method: 'GET', target })).status).toBe(401);
    }
  });
});
