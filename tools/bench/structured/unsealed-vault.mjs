// An unsealed vault of a stack and the measured calls of a client.
import { randomBytes } from 'node:crypto';
import { httpClient } from '../load.mjs';

/** @param {Record<string, any>} stack @param {number} concurrency */
export async function openVault(stack, concurrency) {
  const client = httpClient(stack.api_url, concurrency);
  const accountHeaders = { 'x-api-key': stack.account.api_key, 'content-type': 'application/json' };
  const call = async (status, method, path, headers, body) => {
    const answer = await client.send(method, path, headers, body);
    if (answer.status === status) return answer.text;
    throw new Error(
      `${method} ${path.slice(0, 80)} was answered ${answer.status}: ${answer.text.slice(0, 300)}`,
    );
  };
  const data = (text) => JSON.parse(text).data;
  const name = JSON.stringify({ name: `bench ${randomBytes(8).toString('hex')}` });
  const { vault_id, vmk } = data(await call(201, 'POST', '/v1/vaults', accountHeaders, name));
  const unsealing = JSON.stringify({ vmk, ttl_seconds: 86_400 });
  const { vat } = data(await call(200, 'POST', `/v1/vaults/${vault_id}/unseal`, accountHeaders, unsealing));
  const headers = { ...accountHeaders, 'x-vault-access-token': vat };
  const path = `/v1/products/structured-ingots/${vault_id}`;
  return {
    path,
    headers,
    /** Bodies are already serialized, so the client's serialization is not measured. */
    write: async (body) => data(await call(201, 'POST', path, headers, body)).ingot_id,
    patch: (id, body) => call(200, 'PATCH', `${path}/${id}`, headers, body),
    names: (id) => call(200, 'GET', `${path}/${id}`, headers),
    retrieve: (id, keys) => call(200, 'GET', `${path}/${id}?keys=${keys.join(',')}`, headers),
    close: () => client.close(),
  };
}
