import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  schemaOf,
  type CallInput,
  type Class,
  type JsonSchema,
  type PublicOperation,
} from '@vaultsvc/contracts';
import {
  createApiKey,
  listApiKeys,
  listDomains,
  listUsers,
  readAccount,
  readSettings,
} from '@vaultsvc/contracts/auth';
import { operations } from '@vaultsvc/contracts/catalog';
import { connectCrma, connectCrmb } from '@vaultsvc/contracts/integrations';
import { listPushTokens, listSends, listSuppressions, readConfig } from '@vaultsvc/contracts/notify';
import {
  chargeInvoice,
  listInvoices,
  listPaymentMethods,
  readSubscription,
} from '@vaultsvc/contracts/reporting';
import { createSpark, listSparks } from '@vaultsvc/contracts/sparks';
import {
  createDvak,
  createFolder,
  createVault,
  deleteFolder,
  listFolders,
  listVaults,
  readFolder,
  searchIngots,
  updateFolder,
} from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { api, succeeded, type Api } from '@vaultsvc/testing/http';
import { mintSession } from '@vaultsvc/tools-testing/accounts';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { identityOnly } from './callers.js';
import { actualAnswer, successAnswer } from './expected-answer.js';
import { malformedIdsLike, unknownIdLike, comparableAnswer } from './indistinguishable.js';
import { newSpark } from './link-samples.js';
import { inviteeOf, sampleOf, vaultAccessOf, type VaultAccess } from './samples.js';
import { newTenant, type Tenant } from './tenant.js';
import { operationCases } from './operation-cases.js';
import { newVault } from './vault-samples.js';

const platform = usePlatform();
let victim: Tenant;
let attacker: Tenant;

beforeAll(async () => {
  [victim, attacker] = await Promise.all([newTenant(platform), newTenant(platform)]);
});

type Params = Readonly<Record<string, string>>;

/** The victim's resources as it sees them, including the last uses of its credentials, but no asynchronous counters. */
async function visibleState({ owner }: Tenant): Promise<object[]> {
  const query = { limit: 100 };
  return [
    succeeded(await owner.call(readAccount, {})),
    succeeded(await owner.call(readSettings, {})),
    succeeded(await owner.call(listUsers, { query })),
    succeeded(await owner.call(listApiKeys, { query })),
    succeeded(await owner.call(listDomains, {})),
    succeeded(await owner.call(readSubscription, {})),
    succeeded(await owner.call(listPaymentMethods, {})),
    succeeded(await owner.call(listInvoices, { query })),
    succeeded(await owner.call(listPushTokens, { query: {} })),
    succeeded(await owner.call(listSuppressions, { query })),
    succeeded(await owner.call(readConfig, {})),
    succeeded(await owner.call(listSends, { query })).sends.map(({ status: _, ...send }) => send),
    succeeded(await owner.call(listSparks, { query })).sparks.map(({ time_remaining: _, ...spark }) => spark),
    succeeded(await owner.call(listVaults, { query })).vaults.map(
      ({ total_bandwidth_bytes: _, total_access_count: __, ...vault }) => vault,
    ),
  ];
}

/**
 * Without the operations of links and durable shares, whose codes are meant for other people, of integrations, which all accounts share, and of
 * recipients, whose ids each account chooses.
 */
const withParams = operations.filter(
  ({ params, http }) =>
    params !== undefined &&
    !http.surface &&
    !/\{(app_slug|app_id|recipient_id)\}|^\/v1\/files\//.test(http.path),
);

describe('ENV-41 OPEN-55: a foreign id is answered like an unknown or malformed one, without an effect', () => {
  it.each(operationCases(withParams))('$operation', async ({ op }) => {
    const input = (await sampleOf(op)(victim)) as { params: Params };
    const { headers } = vaultAccessOf(input);
    const [name, foreign] = Object.entries(input.params)[0] as [string, string];
    const before = await visibleState(victim);
    const [callers, holder] = await strangersAndHolder(op, inviteeOf(input));
    for (const caller of callers) {
      const answerTo = async (id: string) =>
        comparableAnswer(
          await caller.call(op, { ...input, params: { ...input.params, [name]: id } }, headers),
        );
      const unknown = await answerTo(unknownIdLike(foreign));
      expect(await answerTo(foreign)).toEqual(unknown);
      for (const id of malformedIdsLike(foreign))
        expect({ id, ...(await answerTo(id)) }).toEqual({ id, ...unknown });
    }
    expect(await visibleState(victim)).toEqual(before);
    expect(actualAnswer(await holder.call(op, input, headers))).toBe(successAnswer(op));
  });
});

/** Callers without a right to the victim's resource, and the caller who has it: the owner, or the invited person. */
async function strangersAndHolder({ access }: PublicOperation, invitee?: string): Promise<[Api[], Api]> {
  if (access.credential !== 'identity-only') return [[attacker.key, attacker.owner], victim.owner];
  const [stranger, invited] = [await identityOnly(attacker), await identityOnly(victim, invitee)];
  return [[api(platform.url, stranger)], api(platform.url, invited)];
}

/** Fields of a body or a query that contain an id, also those of objects in them. */
function idFieldsOf({ name, body, query }: PublicOperation): string[] {
  const idsIn = (part: string, { properties = {} }: JsonSchema): string[] =>
    Object.entries(properties).flatMap(([field, inner]) => [
      ...(inner.pattern !== undefined && /^\^[a-z]+_\[0-9A-Za-z\]/.test(inner.pattern)
        ? [`${name} ${part}.${field}`]
        : []),
      ...idsIn(`${part}.${field}`, inner.items ?? inner),
    ]);
  const schemaOfPart = (type: Class | undefined) => (type ? schemaOf(type) : {});
  return [...idsIn('body', schemaOfPart(body)), ...idsIn('query', schemaOfPart(query))];
}

describe('ENV-41: an id outside of the path', () => {
  // A new field needs a comparison with an unknown id below, unless knowledge of the id grants access. Sends have their own file.
  it('SPK-14 DVK-04 OPEN-11 OPEN-65 NTF-07 APP-21: is that of a kindling, to which knowledge of the id grants access, of an invoice, a user, a folder, the vault of a CRM app, or the ingot of a send', () => {
    expect(operations.flatMap(idFieldsOf)).toEqual([
      'integrations.connect-crma body.vault_id',
      'integrations.connect-crmb body.vault_id',
      'notify.send body.ingot.ingot_id',
      'notify.send body.ingot.vault_id',
      'reporting.charge-invoice body.invoice_id',
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

  it('DVK-04: of a user of another account is answered like an unknown one', async () => {
    const { params, body } = (await sampleOf(createDvak)(victim)) as CallInput<typeof createDvak>;
    const answerTo = async (authorized_user_id: string) =>
      comparableAnswer(
        await victim.owner.call(createDvak, {
          params,
          body: { ...body, dvak_type: 'user', authorized_user_id },
        }),
      );
    const unknown = await answerTo(newId('usr_'));
    expect(unknown).toMatchObject({ status: 400 });
    expect(await answerTo(attacker.ownerSession.subject)).toEqual(unknown);
    expect(await answerTo(victim.ownerSession.subject)).toMatchObject({ status: 201 });
  });

  it.each([connectCrma, connectCrmb])(
    'APP-21: of a vault of another account is answered like an unknown one ($name)',
    async (op) => {
      const [{ body }, theirs] = (await Promise.all([sampleOf(op)(victim), sampleOf(op)(attacker)])) as [
        CallInput<typeof op>,
        CallInput<typeof op>,
      ];
      const answerTo = async (vault_id: string) =>
        comparableAnswer(await victim.owner.call(op as typeof connectCrma, { body: { ...body, vault_id } }));
      const unknown = await answerTo(newId('vlt_'));
      expect(unknown).toMatchObject({ status: 404 });
      expect(await answerTo(theirs.body.vault_id)).toEqual(unknown);
      expect(await answerTo(body.vault_id)).toMatchObject({ status: 200 });
    },
  );

  it('OPEN-65: of an invoice of another account is answered like an unknown one', async () => {
    const { body } = (await sampleOf(chargeInvoice)(victim)) as CallInput<typeof chargeInvoice>;
    const answerTo = async (caller: Api, invoice_id: string) =>
      comparableAnswer(await caller.call(chargeInvoice, { body: { invoice_id } }));
    const unknown = await answerTo(attacker.owner, newId('in_'));
    expect(unknown).toMatchObject({ status: 404 });
    for (const caller of [attacker.owner, attacker.key])
      expect(await answerTo(caller, body.invoice_id)).toEqual(unknown);
    expect(await answerTo(victim.owner, body.invoice_id)).toMatchObject({ status: 200 });
  });

  it('OPEN-11 AMB-58: of a folder of another account is answered like an unknown one, in a path, a body and a query', async () => {
    const theirs = await folderOf(attacker);
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
        await call(searchIngots, { params: { vault_id }, query: inFolder(folder_id) }),
        await call(updateFolder, { params: own.params, body }),
        await call(updateFolder, { params, body: { name: 'x' } }),
        await call(readFolder, { params }),
        await call(deleteFolder, { params }),
      ];
      return answers.map(comparableAnswer);
    };
    const unknown = await answersTo(newId('fld_'));
    for (const answer of unknown) expect(answer).toMatchObject({ status: 404 });
    expect(await answersTo(theirs.params.folder_id)).toEqual(unknown);
    for (const malformed of malformedIdsLike(theirs.params.folder_id))
      expect(
        comparableAnswer(await call(readFolder, { params: { vault_id, folder_id: malformed } })),
      ).toEqual(unknown[5]);
    expect((await attacker.owner.call(readFolder, theirs, theirs.headers)).status).toBe(200);
  });

  const inFolder = (folder_id: string) =>
    ({ folder_id, limit: 10, sort_by: 'name', sort_order: 'asc' }) as const;
  const folderOf = async (tenant: Tenant) =>
    (await sampleOf(readFolder)(tenant)) as CallInput<typeof readFolder> & Required<VaultAccess>;

  const listed = operations.filter(({ cursor }) => cursor !== undefined);

  const ofForeignCursor = { status: 400, error: { code: 'VALIDATION_ERROR' } };
  // The vault is authorized before the cursor is parsed (AMB-13).
  const ofForeignVault = { status: 404, error: { code: 'NOT_FOUND' } };

  it.each(operationCases(listed))(
    'ENV-16: in a cursor of another account is answered like a tampered cursor: $operation',
    async ({ op }) => {
      for (const _ of [1, 2]) {
        await mintSession(platform.auth, { accountId: victim.accountId });
        succeeded(await victim.owner.call(createApiKey, { body: { name: 'one of a list' } }));
        succeeded(await victim.owner.call(createSpark, { body: newSpark() }));
        succeeded(await victim.owner.call(createVault, { body: newVault() }));
      }
      const { params, headers } = (await sampleOf(op)(victim)) as VaultAccess & { params?: Params };
      const page = (caller: Api, cursor?: string) =>
        caller.call(op, { params, query: { limit: 1, cursor } }, headers);
      const first = succeeded<unknown>(await page(victim.owner)) as Record<string, string>;
      const cursor = first[op.cursor ?? ''] as string;
      expect((await page(victim.key, cursor)).status).toBe(200);
      const tampered = cursor.slice(0, -1) + (cursor.endsWith('A') ? 'B' : 'A');
      for (const caller of [attacker.key, attacker.owner]) {
        const answer = await page(caller, cursor);
        expect(answer).toMatchObject(op.access.vat ? ofForeignVault : ofForeignCursor);
        expect(comparableAnswer(answer)).toEqual(comparableAnswer(await page(caller, tampered)));
      }
    },
  );
});
