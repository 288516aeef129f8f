import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CallInput, PublicOperation } from '@vaultsvc/contracts';
import {
  createFolder,
  createIngot,
  createStructured,
  deleteIngot,
  deleteStructured,
  downloadIngot,
  listStructured,
  readIngot,
  readStructured,
  replaceIngot,
  searchIngots,
  updateIngot,
  updateStructured,
} from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { api, succeeded } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { malformedIdsLike, comparableAnswer } from './indistinguishable.js';
import { sampleOf, type VaultAccess } from './samples.js';
import { newTenant, type Tenant } from './tenant.js';
import { operationCases } from './operation-cases.js';
import { newFolder, newIngot, newStructured, SAMPLE_KEY } from './vault-samples.js';

/** An ingot with content and a structured ingot in one vault, with its Vault Access Token. */
type IngotFixture = CallInput<typeof readIngot> &
  Required<VaultAccess> & { readonly tenant: Tenant; readonly structured: string };

const platform = usePlatform();
let own: IngotFixture;
/** In another vault of the same account, and in a vault of another account. */
let otherVault: IngotFixture;
let otherAccount: IngotFixture;

const createFixture = async (tenant: Tenant): Promise<IngotFixture> => {
  const input = (await sampleOf(readIngot)(tenant)) as Omit<IngotFixture, 'tenant' | 'structured'>;
  const { vault_id } = input.params;
  const { ingot_id } = succeeded(
    await tenant.owner.call(createStructured, { params: { vault_id }, body: newStructured() }, input.headers),
  );
  const fixture = { ...input, tenant, structured: ingot_id };
  // The bytes of its upload are counted soon after it; later they would look like a change.
  await eventually(
    () => metadataOf(fixture),
    ({ total_bandwidth_bytes: counted, size_bytes: uploaded }) => counted >= uploaded,
  );
  return fixture;
};

beforeAll(async () => {
  const [tenant, other] = await Promise.all([newTenant(platform), newTenant(platform)]);
  [own, otherVault, otherAccount] = await Promise.all([
    createFixture(tenant),
    createFixture(tenant),
    createFixture(other),
  ]);
});

const metadataOf = async ({ tenant, params, headers }: IngotFixture) =>
  succeeded(await tenant.owner.call(readIngot, { params }, headers));
const namesOf = async ({ tenant, params, headers, structured: ingot_id }: IngotFixture) =>
  succeeded(await tenant.owner.call(readStructured, { params: { ...params, ingot_id }, query: {} }, headers));
const visibleState = async (kept: IngotFixture) => [await metadataOf(kept), await namesOf(kept)];

/** Valid requests of the operations on one ingot. */
const bodies = new Map<PublicOperation, object>([
  [readIngot, {}],
  [downloadIngot, { body: { stream: false } }],
  [replaceIngot, { body: { size_bytes: 1 } }],
  [updateIngot, { body: { name: 'another name' } }],
  [deleteIngot, {}],
  [readStructured, { query: { keys: SAMPLE_KEY } }],
  [updateStructured, { body: { set: { [SAMPLE_KEY]: 'of another caller' } } }],
  [deleteStructured, {}],
]);
const cases = operationCases([...bodies.keys()]);

/** The answer in the own vault for this reference. */
async function answerTo(op: PublicOperation, ingot_id: string): Promise<object> {
  const params = { vault_id: own.params.vault_id, ingot_id };
  return comparableAnswer(await own.tenant.owner.call(op, { ...bodies.get(op), params }, own.headers));
}

describe('ENV-41 AMB-58 AMB-14: a resource of another vault or account', () => {
  it.each(cases)('is answered by its id like an unknown ingot: $operation', async ({ op }) => {
    const before = await Promise.all([visibleState(otherVault), visibleState(otherAccount)]);
    const unknown = await answerTo(op, newId('ing_'));
    expect(unknown).toMatchObject({ status: 404 });
    for (const { params, structured } of [otherVault, otherAccount])
      for (const id of [params.ingot_id, structured]) expect(await answerTo(op, id)).toEqual(unknown);
    for (const id of [...malformedIdsLike(own.params.ingot_id), own.params.vault_id])
      expect({ id, ...(await answerTo(op, id)) }).toEqual({ id, ...unknown });
    expect(await Promise.all([visibleState(otherVault), visibleState(otherAccount)])).toEqual(before);
  });

  it.each(cases)(
    'ING-25 AMB-14 is answered by its name like an unknown ingot: $operation',
    async ({ op }) => {
      const unknown = await answerTo(op, ':there is no file of this name');
      expect(unknown).toMatchObject({ status: 404 });
      for (const theirs of [otherVault, otherAccount]) {
        for (const { name } of await visibleState(theirs))
          for (const spelt of [name, name?.toUpperCase()])
            expect(await answerTo(op, `:${spelt}`)).toEqual(unknown);
      }
      for (const name of [
        ':',
        ': ',
        ':%',
        ':_',
        ':*',
        '::',
        ':\u0000',
        ':..',
        ":' OR 1=1 --",
        `:${'x'.repeat(300)}`,
      ])
        expect({ name, ...(await answerTo(op, name)) }).toEqual({ name, ...unknown });
    },
  );

  it('VAT-03: cannot be read with the token of one vault under the path of another', async () => {
    const call = async (vault: IngotFixture, ingot: IngotFixture, { headers }: IngotFixture) => {
      const params = { vault_id: vault.params.vault_id, ingot_id: ingot.params.ingot_id };
      return (await own.tenant.owner.call(readIngot, { params }, headers)).status;
    };
    expect(await call(own, own, own)).toBe(200);
    expect(await call(own, own, otherVault)).toBe(403);
    expect(await call(own, otherVault, otherVault)).toBe(403);
    expect(await call(otherVault, own, otherVault)).toBe(404);
    expect(await call(own, own, otherAccount)).toBe(403);
    expect(await call(otherAccount, otherAccount, otherAccount)).toBe(404);
  });

  it('OPEN-11: is answered like an unknown folder, for a new ingot and for one that is moved', async () => {
    const folders = await Promise.all(
      [otherVault, otherAccount].map(async ({ tenant, params: { vault_id }, headers }) => {
        const input = { params: { vault_id }, body: newFolder() };
        return succeeded(await tenant.owner.call(createFolder, input, headers)).folder_id;
      }),
    );
    const answersTo = async (folder_id: string) => {
      const { vault_id } = own.params;
      const creating = { params: { vault_id }, body: { ...newIngot(), folder_id } };
      return [
        comparableAnswer(await own.tenant.owner.call(createIngot, creating, own.headers)),
        comparableAnswer(
          await own.tenant.owner.call(updateIngot, { params: own.params, body: { folder_id } }, own.headers),
        ),
      ];
    };
    const unknown = await answersTo(newId('fld_'));
    for (const answer of unknown) expect(answer).toMatchObject({ status: 404 });
    for (const folder of folders) expect(await answersTo(folder)).toEqual(unknown);
  });

  it('AMB-58: is not found by a search', async () => {
    const query = { limit: 200, sort_by: 'created_at', sort_order: 'asc' } as const;
    const { vault_id } = own.params;
    const found = await own.tenant.owner.call(searchIngots, { params: { vault_id }, query }, own.headers);
    const ids = succeeded(found).ingots.map(({ ingot_id }) => ingot_id);
    expect(ids).toContain(own.params.ingot_id);
    expect(ids).not.toContain(otherVault.params.ingot_id);
  });

  it('AMB-43 AMB-58: is not overwritten by its name, and is not listed', async () => {
    const { vault_id } = own.params;
    for (const theirs of [otherVault, otherAccount]) {
      const before = await namesOf(theirs);
      const body = { ...newStructured(), name: before.name as string };
      const made = await own.tenant.owner.call(createStructured, { params: { vault_id }, body }, own.headers);
      expect(succeeded(made).ingot_id).not.toBe(theirs.structured);
      expect(await namesOf(theirs)).toEqual(before);
    }
    const input = { params: { vault_id }, query: { limit: 500 } };
    const { ingots } = succeeded(await own.tenant.owner.call(listStructured, input, own.headers));
    const ids = ingots.map(({ ingot_id }) => ingot_id);
    expect(ids).toHaveLength(3);
    expect(ids).toContain(own.structured);
  });

  it('VAT-01 FRG-03: cannot be read with a token but without a credential, nor from Forge with a credential', async () => {
    const { params, headers, tenant } = own;
    expect((await api(platform.url).call(readIngot, { params }, headers)).status).toBe(401);
    for (const target of ['/decrypt', '/progress'])
      expect(
        (await fetch(platform.forgeUrl + target, { headers: { 'X-API-Key': tenant.apiKey, ...headers } }))
          .status,
      ).toBe(target === '/decrypt' ? 401 : 400);
  });
});
