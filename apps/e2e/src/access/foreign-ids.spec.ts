import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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
import { createDvak, createVault, listVaults } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { succeeded, type Answer, type Api } from '@vaultsvc/testing/http';
import { mintSession } from '@vaultsvc/testing/auth';
import { startPlatform, type Platform } from '@vaultsvc/testing/platform';
import { newSpark, newVault, sampleOf } from './samples.js';
import { newTenant, type Tenant } from './tenant.js';
import { titled } from './titles.js';

let platform: Platform;
let victim: Tenant;
let stranger: Tenant;

beforeAll(async () => {
  platform = await startPlatform();
  [victim, stranger] = await Promise.all([newTenant(platform), newTenant(platform)]);
}, 60_000);
afterAll(() => platform.stop());

type Params = Readonly<Record<string, string>>;

/** An id of the same kind that nobody has. */
function unknownLike(id: string): string {
  const [, prefix] = /^([a-z]+_)[0-9A-Za-z]{22}$/.exec(id) ?? [];
  return prefix ? newId(prefix as `${string}_`) : `${newId('d_').slice(2).toLowerCase()}.example`;
}

/** Texts that cannot be the id: cut, grown, of another kind, with what parsers and file systems love. */
function malformedLike(id: string): string[] {
  const swapped = id.startsWith('usr_') ? newId('key_') : newId('usr_');
  const nasty = [
    '0',
    'null',
    '*',
    '%',
    "' OR 1=1 --",
    '\u0000',
    '\u202e',
    'é',
    '..',
    '../../v1/account',
    'a b',
  ];
  return [id.slice(0, -1), `${id}0`, `${id} `, id.toUpperCase(), swapped, ...nasty, 'x'.repeat(2_000)];
}

/** What a caller can tell of an answer, without what differs in any two answers. */
function visible({ status, headers, body }: Answer): object {
  const { date: _date, 'x-request-id': _id, ratelimit: _limit, ...rest } = headers;
  const text = body
    .toString()
    .replace(/"request_id":"[^"]*"/, '"request_id":""')
    .replace(/"response_ms":\d+/, '"response_ms":0')
    .replace(/"timestamp":\d+/, '"timestamp":0');
  return { status, headers: rest, text };
}

/** All that the victim can see of its own, the times of its credentials' last uses among it. */
async function belongings({ owner }: Tenant): Promise<object[]> {
  const query = { limit: 100 };
  return [
    succeeded(await owner.call(readAccount, {})),
    succeeded(await owner.call(readSettings, {})),
    succeeded(await owner.call(listUsers, { query })),
    succeeded(await owner.call(listApiKeys, { query })),
    succeeded(await owner.call(listDomains, {})),
    succeeded(await owner.call(listSparks, { query })).sparks.map(({ time_remaining: _, ...spark }) => spark),
    succeeded(await owner.call(listVaults, { query })),
  ];
}

const withParams = operations.filter(({ params }) => params !== undefined);

describe('ENV-41 OPEN-55: an id of another account, of nobody, or of no shape is answered alike and touches nothing', () => {
  it.each(titled(withParams))('$title', async ({ op }) => {
    const input = (await sampleOf(op)(victim)) as { params: Params };
    const [name, foreign] = Object.entries(input.params)[0] as [string, string];
    const before = await belongings(victim);
    for (const caller of [stranger.key, stranger.owner]) {
      const answerTo = async (id: string) =>
        visible(await caller.call(op, { ...input, params: { ...input.params, [name]: id } }));
      const unknown = await answerTo(unknownLike(foreign));
      expect(await answerTo(foreign)).toEqual(unknown);
      for (const id of malformedLike(foreign))
        expect({ id, ...(await answerTo(id)) }).toEqual({ id, ...unknown });
    }
    expect(await belongings(victim)).toEqual(before);
    expect((await victim.owner.call(op, input)).status).toBe(op.http.status);
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
  it('SPK-14 DVK-04: bodies and queries take ids of groups of Sparks, which open to whoever knows them, and of one user', () => {
    expect(operations.flatMap(idFieldsOf)).toEqual([
      'sparks.create body.kindling',
      'sparks.list query.kindling',
      'vaults.create-dvak body.authorized_user_id',
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

  const listed = operations.filter(({ cursor }) => cursor !== undefined);

  it.each(titled(listed))('ENV-16: a cursor of another account is one of nobody: $title', async ({ op }) => {
    for (const _ of [1, 2]) {
      await mintSession(platform.auth, { accountId: victim.accountId });
      succeeded(await victim.owner.call(createApiKey, { body: { name: 'one of a list' } }));
      succeeded(await victim.owner.call(createSpark, { body: newSpark() }));
      succeeded(await victim.owner.call(createVault, { body: newVault() }));
    }
    const { params } = (await sampleOf(op)(victim)) as { params?: Params };
    const page = (caller: Api, cursor?: string) => caller.call(op, { params, query: { limit: 1, cursor } });
    const first = succeeded<unknown>(await page(victim.owner)) as Record<string, string>;
    const cursor = first[op.cursor ?? ''] as string;
    expect((await page(victim.key, cursor)).status).toBe(200);
    const tampered = cursor.slice(0, -1) + (cursor.endsWith('A') ? 'B' : 'A');
    for (const caller of [stranger.key, stranger.owner]) {
      const answer = await page(caller, cursor);
      expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } });
      expect(visible(answer)).toEqual(visible(await page(caller, tampered)));
    }
  });
});
