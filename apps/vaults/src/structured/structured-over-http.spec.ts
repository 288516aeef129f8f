import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createIngot,
  createStructured,
  createVault,
  deleteIngot,
  deleteStructured,
  downloadIngot,
  listIngots,
  listStructured,
  readIngot,
  readSharing,
  readStructured,
  replaceIngot,
  sealVault,
  searchIngots,
  unsealVault,
  updateIngot,
  updateStructured,
} from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { api, succeeded, type ApiResponse, type Api } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import { mintApiKey } from '@vaultsvc/tools-testing/accounts';
import { usePlatform } from '@vaultsvc/tools-testing/platform';

const platform = usePlatform();
let key: string;
let params: { vault_id: string };
let vmk: string;
let client: Api;
beforeAll(async () => {
  key = (await mintApiKey(platform.auth)).apiKey;
  const made = succeeded(await caller().call(createVault, { body: { name: 'structured' } }));
  [params, vmk] = [{ vault_id: made.vault_id }, made.vmk];
  client = caller(await vatOf(params, vmk));
});

const caller = (vat?: string) =>
  api(platform.url, { key, ...(vat && { headers: { 'X-Vault-Access-Token': vat } }) });
const vatOf = async (vault: { vault_id: string }, vault_vmk: string, ttl_seconds = 3_600) =>
  succeeded(await caller().call(unsealVault, { params: vault, body: { vmk: vault_vmk, ttl_seconds } })).vat;
const of = (ingot_id: string) => ({ ...params, ingot_id });
const make = async (data: Record<string, unknown>, name: string = newId('s_')) =>
  succeeded(await client.call(createStructured, { params, body: { name, data } }));

/** A valid call of every operation on one ingot. */
const calls = (on: Api, ingot_id: string, vault = params): (() => Promise<ApiResponse>)[] => [
  () => on.call(readStructured, { params: { ...vault, ingot_id }, query: {} }),
  () => on.call(updateStructured, { params: { ...vault, ingot_id }, body: { set: { a: 1 } } }),
  () => on.call(deleteStructured, { params: { ...vault, ingot_id } }),
];
const answersOf = async (given: (() => Promise<ApiResponse>)[]) => {
  const codes: string[] = [];
  for (const call of given) {
    const { status, error } = await call();
    codes.push(`${status} ${error?.code}`);
  }
  return [...new Set(codes)];
};

describe('structured ingots over HTTP', () => {
  it('STR-01: are created with 201, read and changed with 200, deleted with 204, by id and by name', async () => {
    const { ingot_id } = await make({ a: 1 }, 'A b/c');
    expect((await client.call(createStructured, { params, body: { name: 'a B/C', data: {} } })).status).toBe(
      201,
    );
    expect((await client.call(listStructured, { params, query: { limit: 500 } })).status).toBe(200);
    const statuses = [];
    for (const call of calls(client, ':A b/c')) statuses.push((await call()).status);
    expect(statuses).toEqual([200, 200, 204]);
    expect(await answersOf(calls(client, ingot_id))).toEqual(['404 NOT_FOUND']);
  });

  it('STR-04 STR-09: accept a hostile body unchanged: __proto__ and constructor are keys', async () => {
    const body =
      '{"name":"hostile","data":{"__proto__":{"a":1},"constructor":"c","toString":null,"\\u0000":"nul","é":"e"}}';
    const target = `/v1/products/structured-ingots/${params.vault_id}`;
    const made = await client.send({ method: 'POST', target, body });
    expect(made).toMatchObject({ status: 201, data: { key_count: 5 } });
    const patch = '{"set":{"__proto__":"p","hasOwnProperty":true},"delete":["toString"]}';
    expect(
      (await client.send({ method: 'PATCH', target: `${target}/:hostile`, body: patch })).data,
    ).toMatchObject({
      version: 2,
      key_count: 5,
    });
    const { keys } = succeeded(await client.call(readStructured, { params: of(':hostile'), query: {} }));
    expect(keys).toEqual(['\0', '__proto__', 'constructor', 'hasOwnProperty', 'é']);
    for (const wrong of [
      '{"name":"x","data":{"a,b":1}}',
      '{"name":"x","data":{"":1}}',
      '{"name":"x","data":{"\\ud800":1}}',
    ])
      expect((await client.send({ method: 'POST', target, body: wrong })).status).toBe(400);
  });

  it('STR-02 STR-14 STR-11: answer 400 to input that violates the contract, and to ttl without keys', async () => {
    const { ingot_id } = await make({ a: 1 });
    const base = `/v1/products/structured-ingots/${params.vault_id}`;
    const sent = async (method: string, target: string, body?: unknown) =>
      (await client.send({ method, target: `${base}${target}`, body })).status;
    for (const body of [
      {},
      { name: 'x' },
      { data: {} },
      { name: 'x', data: [] },
      { name: 'x'.repeat(256), data: {} },
    ])
      expect(await sent('POST', '', body)).toBe(400);
    for (const body of [{}, { set: { a: 1 }, delete: ['a'] }])
      expect(await sent('PATCH', `/${ingot_id}`, body)).toBe(400);
    expect(await sent('GET', `/${ingot_id}?ttl=60`)).toBe(400);
    for (const limit of ['0', '501', 'x']) expect(await sent('GET', `?limit=${limit}`)).toBe(400);
  });

  it('STR-04 AMB-12: answer 413 to a value above 1,048,576 bytes and to a body above 7 MiB', async () => {
    const post = async (data: Record<string, unknown>) =>
      (await client.call(createStructured, { params, body: { name: 'large', data } })).status;
    expect(await post({ a: 'x'.repeat(1_048_576) })).toBe(201);
    expect(await post({ a: 'x'.repeat(1_048_577) })).toBe(413);
    const filled = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}`, 'x'.repeat(1_000_000)]));
    expect(await post(filled(7))).toBe(201);
    expect(await post(filled(8))).toBe(413);
  });

  it('OPEN-19: accept a value of 32 levels, wherever it is in the body, and answer 400 to a deeper one', async () => {
    const nested = (levels: number) => `{"k":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    const target = `/v1/products/structured-ingots/${params.vault_id}`;
    const post = async (levels: number) =>
      (await client.send({ method: 'POST', target, body: `{"name":"deep","data":${nested(levels)}}` }))
        .status;
    const patch = async (levels: number) =>
      (await client.send({ method: 'PATCH', target: `${target}/:deep`, body: `{"set":${nested(levels)}}` }))
        .status;
    expect([await post(32), await patch(32)]).toEqual([201, 200]);
    expect([await post(33), await patch(33)]).toEqual([400, 400]);
  });

  it('STR-19 STR-20 STR-22: answer 401 to an unknown token, 403 to an expired or foreign one, 404 for an unknown vault', async () => {
    const { ingot_id } = await make({ a: 1 });
    const unknown = caller(`vat_${'A'.repeat(43)}`);
    expect(await answersOf(calls(unknown, ingot_id))).toEqual(['401 AUTHENTICATION_ERROR']);
    expect(await answersOf(calls(caller('vat_x'), ingot_id))).toEqual(['401 AUTHENTICATION_ERROR']);
    const expiring = caller(await vatOf(params, vmk, 1));
    const read = calls(expiring, ingot_id)[0] as () => Promise<ApiResponse>;
    await eventually(read, ({ status }) => status === 403);
    expect(await answersOf(calls(expiring, ingot_id))).toEqual(['403 FORBIDDEN']);
    const other = succeeded(await caller().call(createVault, { body: { name: newId('v_') } }));
    const elsewhere = caller(await vatOf(other, other.vmk));
    expect(await answersOf(calls(elsewhere, ingot_id))).toEqual(['403 FORBIDDEN']);
    const stranger = api(platform.url, {
      key: (await mintApiKey(platform.auth)).apiKey,
      headers: { 'X-Vault-Access-Token': await vatOf(params, vmk) },
    });
    expect(await answersOf(calls(stranger, ingot_id))).toEqual(['404 NOT_FOUND']);
    expect(await answersOf(calls(client, ingot_id, { vault_id: newId('vlt_') }))).toEqual(['404 NOT_FOUND']);
    expect(await answersOf(calls(client, newId('ing_')))).toEqual(['404 NOT_FOUND']);
  });

  it('STR-21: answer 403 for a standard ingot on every operation, by id and by name', async () => {
    const body = { name: 'standard', size_bytes: 1, content_type: 'x/y' };
    const { ingot_id } = succeeded(await client.call(createIngot, { params, body }));
    for (const reference of [ingot_id, ':standard'])
      expect(await answersOf(calls(client, reference))).toEqual(['403 FORBIDDEN']);
    expect(
      await client.call(createStructured, { params, body: { name: 'STANDARD', data: {} } }),
    ).toMatchObject({
      status: 409,
      error: { code: 'CONFLICT' },
    });
  });

  it('ING-16 ING-38 ING-39 AMB-56: are listed by the ingot routes, which refuse every other operation on them', async () => {
    const { ingot_id, name } = await make({ a: 'four' }, 'Managed.json');
    const managed = {
      ingot_id,
      name,
      managed_by: 'structured-ingots',
      status: 'active',
      size_bytes: 4,
      folder_id: null,
    };
    const sort = { sort_by: 'created_at', sort_order: 'desc', limit: 1 } as const;
    expect(succeeded(await client.call(listIngots, { params, query: sort })).ingots).toMatchObject([managed]);
    const q = { q: 'managed', sort_by: 'created_at', sort_order: 'asc', limit: 9 } as const;
    expect(succeeded(await client.call(searchIngots, { params, query: q })).ingots).toMatchObject([managed]);
    const direct = (reference: string): (() => Promise<ApiResponse>)[] => [
      () => client.call(readIngot, { params: of(reference) }),
      () => client.call(downloadIngot, { params: of(reference), body: { stream: false } as never }),
      () => client.call(replaceIngot, { params: of(reference), body: { size_bytes: 1 } as never }),
      () => client.call(updateIngot, { params: of(reference), body: { name: 'x' } }),
      () => client.call(deleteIngot, { params: of(reference) }),
      () => client.call(readSharing, { params: of(reference) }),
    ];
    for (const reference of [ingot_id, ':managed.json'])
      expect(await answersOf(direct(reference))).toEqual(['403 FORBIDDEN']);
    const upload = { name, size_bytes: 1, content_type: 'x/y' };
    expect((await client.call(createIngot, { params, body: upload })).status).toBe(403);
    expect((await client.call(readStructured, { params: of(ingot_id), query: {} })).status).toBe(200);
  });

  it('VLT-22 STR-19: answer 401 after their vault is sealed, and keep their keys until it is unsealed again', async () => {
    const { ingot_id } = await make({ a: 1 });
    succeeded(await caller().call(sealVault, { params }));
    expect(await answersOf(calls(client, ingot_id))).toEqual(['401 AUTHENTICATION_ERROR']);
    client = caller(await vatOf(params, vmk));
    expect(succeeded(await client.call(readStructured, { params: of(ingot_id), query: {} })).keys).toEqual([
      'a',
    ]);
  });
});
