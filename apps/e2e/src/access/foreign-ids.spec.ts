import { beforeAll, describe, expect, it } from '@jest/globals';
import { schemaOf, type CallInput, type Class, type PublicOperation } from '@vaultsvc/contracts';
import {
  createApiKey,
  listApiKeys,
  listDomains,
  listUsers,
  readAccount,
  readSettings,
} from '@vaultsvc/contracts/auth';
import { operations } from '@vaultsvc/contracts/catalog';
import { createSpark, listSparks } from '@vaultsvc/contracts/sparks';
import {
  createDvak,
  createFolder,
  createVault,
  deleteFolder,
  listFolders,
  listVaults,
  readFolder,
  updateFolder,
} from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { succeeded, type Api } from '@vaultsvc/testing/http';
import { mintSession } from '@vaultsvc/tools-testing/accounts';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { shown, welcomeOf } from './expected-answer.js';
import { malformedLike, unknownLike, visible } from './indistinguishable.js';
import { newSpark } from './link-samples.js';
import { openingOf, sampleOf, type Opening } from './samples.js';
import { newTenant, type Tenant } from './tenant.js';
import { titled } from './titles.js';
import { newVault } from './vault-samples.js';

const platform = usePlatform();
let victim: Tenant;
let stranger: Tenant;

beforeAll(async () => {
  [victim, stranger] = await Promise.all([newTenant(platform), newTenant(platform)]);
});

type Params = Readonly<Record<string, string>>;

/** All that the victim can see of its own, the times of its credentials' last uses among it; no sums of events. */
async function belongings({ owner }: Tenant): Promise<object[]> {
  const query = { limit: 100 };
  return [
    succeeded(await owner.call(readAccount, {})),
    succeeded(await owner.call(readSettings, {})),
    succeeded(await owner.call(listUsers, { query })),
    succeeded(await owner.call(listApiKeys, { query })),
    succeeded(await owner.call(listDomains, {})),
    succeeded(await owner.call(listSparks, { query })).sparks.map(({ time_remaining: _, ...spark }) => spark),
    succeeded(await owner.call(listVaults, { query })).vaults.map(
      ({ total_bandwidth_bytes: _, total_access_count: __, ...vault }) => vault,
    ),
  ];
}

/** Links are for strangers: what their codes open, and to whom, is proven where they are opened. */
const withParams = operations.filter(({ params, http }) => params !== undefined && !http.surface);

describe('ENV-41 OPEN-55: an id of another account, of nobody, or of no shape is answered alike and touches nothing', () => {
  it.each(titled(withParams))('$operation', async ({ op }) => {
    const input = (await sampleOf(op)(victim)) as { params: Params };
    const { headers } = openingOf(input);
    const [name, foreign] = Object.entries(input.params)[0] as [string, string];
    const before = await belongings(victim);
    for (const caller of [stranger.key, stranger.owner]) {
      const answerTo = async (id: string) =>
        visible(await caller.call(op, { ...input, params: { ...input.params, [name]: id } }, headers));
      const unknown = await answerTo(unknownLike(foreign));
      expect(await answerTo(foreign)).toEqual(unknown);
      for (const id of malformedLike(foreign))
        expect({ id, ...(await answerTo(id)) }).toEqual({ id, ...unknown });
    }
    expect(await belongings(victim)).toEqual(before);
    expect(shown(await victim.owner.call(op, input, headers))).toBe(welcomeOf(op));
  });
});

/** Fields of a body or a query that take an id. */
function idFieldsOf({ name, body, query }: PublicOperation): string[] {
  const idsIn = (part: string, type: Class | undefined) =>
    Object.entries(type ? (schemaOf(type).properties ?? {}) : {})
      .filter(([, { pattern }]) => pattern !== undefined && /^\^[a-z]+_\[/.test(pattern))
      .map(([field]) => `${name} ${part}.${field}`);
  return [...idsIn('body', body), ...idsIn('query', query)];
}

describe('ENV-41: what else than a path could name a thing of another account', () => {
  // A new field here needs the comparison above, unless knowing the id is what opens the thing.
  it('SPK-14 DVK-04 OPEN-11: bodies and queries take ids of groups of Sparks, which open to whoever knows them, of one user, and of folders', () => {
    expect(operations.flatMap(idFieldsOf)).toEqual([
      'sparks.create body.kindling',
      'sparks.list query.kindling',
      'vaults.create-dvak body.authorized_user_id',
      'vaults.create-folder body.parent_id',
      'vaults.create-ingot body.folder_id',
      'vaults.list-folders query.parent_id',
      'vaults.update-folder body.parent_id',
      'vaults.update-ingot body.folder_id',
    ]);
  });

  it('DVK-04: a user of another account is nobody, whom no key is for', async () => {
    const { params, body } = (await sampleOf(createDvak)(victim)) as CallInput<typeof createDvak>;
    const answerTo = async (authorized_user_id: string) =>
      visible(
        await victim.owner.call(createDvak, {
          params,
          body: { ...body, dvak_type: 'user', authorized_user_id },
        }),
      );
    const unknown = await answerTo(newId('usr_'));
    expect(unknown).toMatchObject({ status: 400 });
    expect(await answerTo(stranger.ownerSession.subject)).toEqual(unknown);
    expect(await answerTo(victim.ownerSession.subject)).toMatchObject({ status: 201 });
  });

  it('OPEN-11 AMB-58: a folder of another account is nobody’s, in a path, a body and a query', async () => {
    const theirs = await folderOf(stranger);
    const own = await folderOf(victim);
    const { vault_id } = own.params;
    const call: Api['call'] = (op, input) => victim.owner.call(op, input, own.headers);
    const answersTo = async (folder_id: string) => {
      const [params, body] = [
        { vault_id, folder_id },
        { name: newId('folder_'), parent_id: folder_id },
      ];
      const answers = [
        await call(createFolder, { params: { vault_id }, body }),
        await call(listFolders, { params: { vault_id }, query: { parent_id: folder_id, limit: 10 } }),
        await call(updateFolder, { params: own.params, body }),
        await call(updateFolder, { params, body: { name: 'x' } }),
        await call(readFolder, { params }),
        await call(deleteFolder, { params }),
      ];
      return answers.map(visible);
    };
    const unknown = await answersTo(newId('fld_'));
    for (const answer of unknown) expect(answer).toMatchObject({ status: 404 });
    expect(await answersTo(theirs.params.folder_id)).toEqual(unknown);
    for (const malformed of malformedLike(theirs.params.folder_id))
      expect(visible(await call(readFolder, { params: { vault_id, folder_id: malformed } }))).toEqual(
        unknown[4],
      );
    expect((await stranger.owner.call(readFolder, theirs, theirs.headers)).status).toBe(200);
  });

  const folderOf = async (tenant: Tenant) =>
    (await sampleOf(readFolder)(tenant)) as CallInput<typeof readFolder> & Required<Opening>;

  const listed = operations.filter(({ cursor }) => cursor !== undefined);

  const ofForeignCursor = { status: 400, error: { code: 'VALIDATION_ERROR' } };
  // Whether a vault opens is asked before its cursor is looked at (AMB-13).
  const ofForeignVault = { status: 404, error: { code: 'NOT_FOUND' } };

  it.each(titled(listed))(
    'ENV-16: a cursor of another account is one of nobody: $operation',
    async ({ op }) => {
      for (const _ of [1, 2]) {
        await mintSession(platform.auth, { accountId: victim.accountId });
        succeeded(await victim.owner.call(createApiKey, { body: { name: 'one of a list' } }));
        succeeded(await victim.owner.call(createSpark, { body: newSpark() }));
        succeeded(await victim.owner.call(createVault, { body: newVault() }));
      }
      const { params, headers } = (await sampleOf(op)(victim)) as Opening & { params?: Params };
      const page = (caller: Api, cursor?: string) =>
        caller.call(op, { params, query: { limit: 1, cursor } }, headers);
      const first = succeeded<unknown>(await page(victim.owner)) as Record<string, string>;
      const cursor = first[op.cursor ?? ''] as string;
      expect((await page(victim.key, cursor)).status).toBe(200);
      const tampered = cursor.slice(0, -1) + (cursor.endsWith('A') ? 'B' : 'A');
      for (const caller of [stranger.key, stranger.owner]) {
        const answer = await page(caller, cursor);
        expect(answer).toMatchObject(op.access.vat ? ofForeignVault : ofForeignCursor);
        expect(visible(answer)).toEqual(visible(await page(caller, tampered)));
      }
    },
  );
});
