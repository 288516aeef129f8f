import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createStructured,
  deleteVault,
  KEY_NAME_MAX,
  readStructured,
  RETRIEVED_KEYS_MAX,
  STRUCTURED_BODY_BYTES_MAX,
  STRUCTURED_KEYS_MAX,
  updateStructured,
  VALUE_BYTES_MAX,
} from '@vaultsvc/contracts/vaults';
import type { Api } from '@vaultsvc/testing/http';
import { createUnsealedVault, type UnsealedVault } from './unsealed-vault.js';
import { signUpOrganization } from './sign-in.js';

let client: Api;
let { vault_id, token, call, get, refusal } = {} as UnsealedVault;
let ingot_id: string;
beforeAll(async () => {
  ({ client } = await signUpOrganization('Structured sizes'));
  ({ vault_id, token, call, get, refusal } = await createUnsealedVault(client));
});

const inVault = () => ({ params: { vault_id } });
const of = () => ({ params: { vault_id, ingot_id } });

describe('STR-03 STR-04 STR-25 OPEN-06: a structured ingot of the maximum size', () => {
  const names = Array.from({ length: STRUCTURED_KEYS_MAX }, (_, i) =>
    String(i).padStart(5, '0').padStart(KEY_NAME_MAX, 'k'),
  );
  const full = Object.fromEntries(names.map((name) => [name, name.slice(-8)]));
  /** A JSON body of so many bytes, with values of at most 1,048,576 bytes. */
  const bodyOf = (bytes: number) => {
    const data = Object.fromEntries('abcdefg'.split('').map((key) => [key, 'v'.repeat(1_040_000)]));
    const frame = JSON.stringify({ name: 'large', data: { ...data, h: '' } });
    return frame.replace('"h":""', `"h":"${'v'.repeat(bytes - frame.length)}"`);
  };
  const post = (body: string) =>
    client.send({
      method: 'POST',
      target: `/v1/products/structured-ingots/${vault_id}`,
      headers: token,
      body,
    });

  it('has 10,000 keys with names of 256 characters, which are listed, patched, and retrieved by the hundred', async () => {
    ({ ingot_id } = await get(createStructured, { ...inVault(), body: { name: 'full', data: full } }));
    const listed = await get(readStructured, { ...of(), query: {} });
    expect(listed.keys).toEqual(names);
    const hundred = names.slice(0, RETRIEVED_KEYS_MAX);
    expect(
      Object.keys((await get(readStructured, { ...of(), query: { keys: hundred.join(',') } })).values ?? {}),
    ).toEqual(hundred);
    const oneMore = { ...of(), body: { set: { ...full, more: 1 } } };
    expect(await refusal(updateStructured, oneMore)).toMatch(/^400 VALIDATION_ERROR/);
    const exchanged = { ...of(), body: { set: { more: 1 }, delete: [names[0] as string] } };
    expect(await get(updateStructured, exchanged)).toMatchObject({ version: 2, key_count: 10_000 });
    expect(await refusal(updateStructured, { ...of(), body: { set: { andMore: 1 } } })).toMatch(/^400 /);
    expect(await get(updateStructured, { ...of(), body: { delete: names } })).toMatchObject({ key_count: 1 });
  });

  it('is created by a body of 7 MiB; one byte more, or a value above 1,048,576 bytes, is refused with 413', async () => {
    expect((await post(bodyOf(STRUCTURED_BODY_BYTES_MAX))).status).toBe(201);
    expect(await post(bodyOf(STRUCTURED_BODY_BYTES_MAX + 1))).toMatchObject({ status: 413 });
    const valueOfBytes = (bytes: number) => ({ name: 'one', data: { k: 'ü'.repeat(bytes / 2) } });
    expect((await call(createStructured, { ...inVault(), body: valueOfBytes(VALUE_BYTES_MAX) })).status).toBe(
      201,
    );
    expect(
      await refusal(createStructured, { ...inVault(), body: valueOfBytes(VALUE_BYTES_MAX + 2) }),
    ).toMatch(/^413 PAYLOAD_TOO_LARGE/);
    expect((await client.call(deleteVault, inVault())).status).toBe(202);
  });
});
