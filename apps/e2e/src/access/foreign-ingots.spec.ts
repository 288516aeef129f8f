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
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { malformedLike, visible } from './indistinguishable.js';
import { sampleOf, type Opening } from './samples.js';
import { newTenant, type Tenant } from './tenant.js';
import { titled } from './titles.js';
import { newFolder, newIngot, newStructured, SAMPLE_KEY } from './vault-samples.js';

/** An ingot with its content, a structured one beside it, the vault they are in, and a token that opens it. */
type Kept = CallInput<typeof readIngot> &
  Required<Opening> & { readonly tenant: Tenant; readonly structured: string };

const platform = usePlatform();
let own: Kept;
/** In another vault of the same account, and in a vault of another account. */
let neighbour: Kept;
let stranger: Kept;

const keep = async (tenant: Tenant): Promise<Kept> => {
  const input = (await sampleOf(readIngot)(tenant)) as Omit<Kept, 'tenant' | 'structured'>;
  const { vault_id } = input.params;
  const { ingot_id } = succeeded(
    await tenant.owner.call(createStructured, { params: { vault_id }, body: newStructured() }, input.headers),
  );
  return { ...input, tenant, structured: ingot_id };
};

beforeAll(async () => {
  const [tenant, other] = await Promise.all([newTenant(platform), newTenant(platform)]);
  [own, neighbour, stranger] = await Promise.all([keep(tenant), keep(tenant), keep(other)]);
});

const metadataOf = async ({ tenant, params, headers }: Kept) =>
  succeeded(await tenant.owner.call(readIngot, { params }, headers));
const namesOf = async ({ tenant, params, headers, structured: ingot_id }: Kept) =>
  succeeded(await tenant.owner.call(readStructured, { params: { ...params, ingot_id }, query: {} }, headers));
const seen = async (kept: Kept) => [await metadataOf(kept), await namesOf(kept)];

/** Calls that name one ingot, each as it would be made by somebody who may. */
const bodies = new Map<PublicOperation, object>([
  [readIngot, {}],
  [downloadIngot, { body: { stream: false } }],
  [replaceIngot, { body: { size_bytes: 1 } }],
  [updateIngot, { body: { name: 'another name' } }],
  [deleteIngot, {}],
  [readStructured, { query: { keys: SAMPLE_KEY } }],
  [updateStructured, { body: { set: { [SAMPLE_KEY]: 'of somebody else' } } }],
  [deleteStructured, {}],
]);
const naming = titled([...bodies.keys()]);

/** What our own account answers in our own vault to this reference. */
async function answerTo(op: PublicOperation, ingot_id: string): Promise<object> {
  const params = { vault_id: own.params.vault_id, ingot_id };
  return visible(await own.tenant.owner.call(op, { ...bodies.get(op), params }, own.headers));
}

describe('ENV-41 AMB-58 AMB-14: an ingot of another vault or account is one that nobody has', () => {
  it.each(naming)('by its id: $operation', async ({ op }) => {
    const before = await Promise.all([seen(neighbour), seen(stranger)]);
    const unknown = await answerTo(op, newId('ing_'));
    expect(unknown).toMatchObject({ status: 404 });
    for (const { params, structured } of [neighbour, stranger])
      for (const id of [params.ingot_id, structured]) expect(await answerTo(op, id)).toEqual(unknown);
    for (const id of [...malformedLike(own.params.ingot_id), own.params.vault_id])
      expect({ id, ...(await answerTo(op, id)) }).toEqual({ id, ...unknown });
    expect(await Promise.all([seen(neighbour), seen(stranger)])).toEqual(before);
  });

  it.each(naming)(
    'ING-25 AMB-14 by its name, which is looked for in this vault alone: $operation',
    async ({ op }) => {
      const unknown = await answerTo(op, ':nobody has a file of this name');
      expect(unknown).toMatchObject({ status: 404 });
      for (const theirs of [neighbour, stranger]) {
        for (const { name } of await seen(theirs))
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

  it('VAT-03: the token of another vault opens neither that vault’s ingots through ours nor ours through it', async () => {
    const call = async (vault: Kept, ingot: Kept, { headers }: Kept) => {
      const params = { vault_id: vault.params.vault_id, ingot_id: ingot.params.ingot_id };
      return (await own.tenant.owner.call(readIngot, { params }, headers)).status;
    };
    expect(await call(own, own, own)).toBe(200);
    expect(await call(own, own, neighbour)).toBe(403);
    expect(await call(own, neighbour, neighbour)).toBe(403);
    expect(await call(neighbour, own, neighbour)).toBe(404);
    expect(await call(own, own, stranger)).toBe(403);
    expect(await call(stranger, stranger, stranger)).toBe(404);
  });

  it('OPEN-11: a folder of another vault or account is nobody’s, for a new ingot and for one that moves', async () => {
    const folders = await Promise.all(
      [neighbour, stranger].map(async ({ tenant, params: { vault_id }, headers }) => {
        const input = { params: { vault_id }, body: newFolder() };
        return succeeded(await tenant.owner.call(createFolder, input, headers)).folder_id;
      }),
    );
    const answersTo = async (folder_id: string) => {
      const { vault_id } = own.params;
      const creating = { params: { vault_id }, body: { ...newIngot(), folder_id } };
      return [
        visible(await own.tenant.owner.call(createIngot, creating, own.headers)),
        visible(
          await own.tenant.owner.call(updateIngot, { params: own.params, body: { folder_id } }, own.headers),
        ),
      ];
    };
    const unknown = await answersTo(newId('fld_'));
    for (const answer of unknown) expect(answer).toMatchObject({ status: 404 });
    for (const folder of folders) expect(await answersTo(folder)).toEqual(unknown);
  });

  it('AMB-58: a search finds nothing of another vault, whatever it asks for', async () => {
    const query = { limit: 200, sort_order: 'asc' } as const;
    const { vault_id } = own.params;
    const found = await own.tenant.owner.call(searchIngots, { params: { vault_id }, query }, own.headers);
    const ids = succeeded(found).ingots.map(({ ingot_id }) => ingot_id);
    expect(ids).toContain(own.params.ingot_id);
    expect(ids).not.toContain(neighbour.params.ingot_id);
  });

  it('AMB-43 AMB-58: a name that another vault has is new here, and a list holds nothing of another vault', async () => {
    const { vault_id } = own.params;
    for (const theirs of [neighbour, stranger]) {
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

  it('VAT-01 FRG-03: without a credential of the account a token opens nothing, and Forge takes no credential at all', async () => {
    const { params, headers, tenant } = own;
    expect((await api(platform.url).call(readIngot, { params }, headers)).status).toBe(401);
    for (const target of ['/decrypt', '/progress'])
      expect(
        (await fetch(platform.forgeUrl + target, { headers: { 'X-API-Key': tenant.apiKey, ...headers } }))
          .status,
      ).toBe(target === '/decrypt' ? 401 : 400);
  });
});
