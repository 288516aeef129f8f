// An open vault of a stack and the calls that are measured, as a client makes them.
import { randomBytes } from 'node:crypto';
import { httpClient } from '../load.mjs';

/** @param {Record<string, any>} stack @param {number} concurrency */
export async function openShelf(stack, concurrency) {
  const client = httpClient(stack.api_url, concurrency);
  const own = { 'x-api-key': stack.account.api_key, 'content-type': 'application/json' };
  const call = async (status, method, path, headers, body) => {
    const answer = await client.send(method, path, headers, body);
    if (answer.status === status) return answer.text;
    throw new Error(
      `${method} ${path.slice(0, 80)} is answered ${answer.status}: ${answer.text.slice(0, 300)}`,
    );
  };
  const data = (text) => JSON.parse(text).data;
  const name = JSON.stringify({ name: `bench ${randomBytes(8).toString('hex')}` });
  const { vault_id, vmk } = data(await call(201, 'POST', '/v1/vaults', own, name));
  const unsealing = JSON.stringify({ vmk, ttl_seconds: 86_400 });
  const { vat } = data(await call(200, 'POST', `/v1/vaults/${vault_id}/unseal`, own, unsealing));
  const headers = { ...own, 'x-vault-access-token': vat };
  const path = `/v1/products/structured-ingots/${vault_id}`;
  return {
    /** Bodies are text already: what a client spends on them is not measured. */
    write: async (body) => data(await call(201, 'POST', path, headers, body)).ingot_id,
    patch: (id, body) => call(200, 'PATCH', `${path}/${id}`, headers, body),
    names: (id) => call(200, 'GET', `${path}/${id}`, headers),
    retrieve: (id, keys) => call(200, 'GET', `${path}/${id}?keys=${keys.join(',')}`, headers),
    close: () => client.close(),
  };
}
