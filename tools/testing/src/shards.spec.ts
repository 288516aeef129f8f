import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createSpark,
  deleteSpark,
  listSparks,
  readLink,
  readSpark,
  type NewSpark,
  type SparkListQuery,
} from '@vaultsvc/contracts/sparks';
import { deleteIngot } from '@vaultsvc/contracts/vaults';
import { newId, shardOf } from '@vaultsvc/crypto/encoding';
import { Bus } from '@vaultsvc/messaging';
import type { RunningService } from '@vaultsvc/service';
import { useFixture } from '@vaultsvc/testing/fixtures';
import { accountContext, rowsOf } from '@vaultsvc/testing/harness';
import { api, succeeded, type Api } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import { callKeysOf } from '@vaultsvc/testing/wire';
import { reporting } from '../../../apps/reporting/src/service-definition.js';
import { sparks } from '../../../apps/sparks/src/service-definition.js';
import { mintApiKey } from './accounts.js';
import { startSharingPlatform } from './file-sharing.js';
import { usePlatform } from './platform.js';
import { freePort } from '../../stack/servers/ports.ts';

const platform = usePlatform({ SHARDS: '0,1', SHARD: '0', ACCOUNT_SHARDS: '0,1' });
let second: RunningService;
const databaseOf = (shard: number) => (shard === 0 ? platform.sparks : second);

interface Caller extends Api {
  readonly accountId: string;
}
let callers: readonly [Caller, Caller];

beforeAll(async () => {
  second = await platform.harness.startShard(sparks, 1);
  // The server of a shard may have any time zone. In a spec the role is named as the schema.
  const [{ role = '' } = {}] = await rowsOf<{ role: string }>(second, `SELECT current_schema() AS role`);
  await rowsOf(second, `ALTER ROLE ${role} SET timezone = 'Asia/Tokyo'`);
  await second.stop();
  second = await platform.harness.startShard(sparks, 1);
  await platform.harness.startShard(reporting, 1);
  callers = [await callerOf(0), await callerOf(1)];
});

/** Accounts get their shard by chance: 64 tries miss one once in 2^64 runs. */
async function callerOf(shard: number): Promise<Caller> {
  for (let attempt = 0; attempt < 64; attempt += 1) {
    const { accountId, apiKey } = await mintApiKey(platform.auth);
    if (shardOf(accountId) === shard) return { accountId, ...api(platform.url, { key: apiKey }) };
  }
  throw new Error(`no account of shard ${shard}`);
}

const sparkWith = (changes: Partial<NewSpark>) => ({
  payload: 'secret',
  content_type: 'text/plain',
  ttl_minutes: 5,
  filename: null,
  with_kindling: false,
  ...changes,
});
const create = async (caller: Api, changes: Partial<NewSpark> = {}) =>
  succeeded(await caller.call(createSpark, { body: sparkWith(changes) }));
const read = (caller: Api, spark_id: string) => caller.call(readSpark, { params: { spark_id } });
const list = async (caller: Api, query: Partial<SparkListQuery> = {}) =>
  succeeded(await caller.call(listSparks, { query: { limit: 100, ...query } }));
const countIn = async (shard: number, spark_id: string) =>
  (await rowsOf(databaseOf(shard), `SELECT 1 FROM sparks WHERE id = $1`, [spark_id])).length;

describe('MISC-01: an account', () => {
  it.each([
    [0, /^acc_[0-9A-Za-z]{22}$/, /^spk_[0-9A-Za-z]{22}$/],
    [1, /^acc_[0-9A-Za-z]{22}01$/, /^spk_[0-9A-Za-z]{22}01$/],
  ] as const)(
    'ENV-18 SPK-25 SPK-27: of shard %d has its Sparks there, and reads each once',
    async (shard, account, spark) => {
      const caller = callers[shard];
      expect(caller.accountId).toMatch(account);
      const { spark_id } = await create(caller);
      expect(spark_id).toMatch(spark);
      expect([await countIn(0, spark_id), await countIn(1, spark_id)]).toEqual(shard === 0 ? [1, 0] : [0, 1]);
      expect((await list(caller)).sparks.map((one) => one.spark_id)).toContain(spark_id);
      expect(await read(caller, spark_id)).toMatchObject({ status: 200, data: { payload: 'secret' } });
      expect(await read(caller, spark_id)).toMatchObject({ status: 403 });
    },
  );

  it('SPK-22: does not learn of the Sparks of another one, of whichever shard', async () => {
    for (const [owner, other] of [callers, callers.toReversed() as [Caller, Caller]]) {
      const { spark_id } = await create(owner);
      expect(await read(other, spark_id)).toMatchObject({ status: 404 });
      expect((await list(other)).sparks.map((one) => one.spark_id)).not.toContain(spark_id);
      expect(await read(owner, spark_id)).toMatchObject({ status: 200 });
    }
  });

  it.each([0, 1] as const)(
    'LNK-07: of shard %d reads its links by their codes, others do not',
    async (shard) => {
      const { link_code = '' } = await create(callers[shard], {
        payload: 'https://example.com/',
        content_type: 'text/uri-list',
      });
      expect(link_code).toMatch(shard === 0 ? /^[0-9A-Za-z]{22}$/ : /^[0-9A-Za-z]{22}01$/);
      const params = { link_code };
      expect(await callers[shard].call(readLink, { params })).toMatchObject({
        status: 200,
        data: { link_code },
      });
      expect(await callers[1 - shard]?.call(readLink, { params })).toMatchObject({ status: 400 });
    },
  );
});

describe('MISC-01 SPK-14 SPK-21: a kindling', () => {
  it.each([0, 1] as const)(
    'of shard %d is joined and listed by accounts of both, newest first, page by page',
    async (home) => {
      const [owner, guest] = [callers[home], callers[1 - home] as Caller];
      const first = await create(owner, { with_kindling: true, label: 'of the owner' });
      const { kindling = '' } = first;
      const made = [first.spark_id];
      for (let round = 0; round < 3; round += 1) {
        made.unshift((await create(guest, { kindling, label: 'of the guest' })).spark_id);
        made.unshift((await create(owner, { kindling })).spark_id);
      }
      for (const caller of [owner, guest]) {
        const pages: string[] = [];
        let cursor: string | undefined;
        do {
          const page = await list(caller, { kindling, limit: 2, ...(cursor && { cursor }) });
          expect(page.count).toBe(page.sparks.length);
          pages.push(...page.sparks.map((one) => one.spark_id));
          cursor = page.next_cursor;
        } while (cursor);
        expect(pages).toEqual(made);
      }
      const labels = async (caller: Api) =>
        (await list(caller, { kindling })).sparks.flatMap(({ label }) => label ?? []);
      expect(await labels(owner)).toEqual(['of the owner']);
      expect(await labels(guest)).toEqual(['of the guest', 'of the guest', 'of the guest']);
      expect(await read(owner, made[1] ?? '')).toMatchObject({ status: 200 });
      expect(await read(guest, made[0] ?? '')).toMatchObject({ status: 200 });
      expect((await list(guest, { kindling, status: 'ash' })).sparks.map((one) => one.spark_id)).toEqual(
        made.slice(0, 2),
      );
    },
  );

  it('SPK-14: of another shard must exist', async () => {
    for (const shard of [0, 1] as const) {
      const kindling = newId('kdl_', 1 - shard);
      const refused = await callers[shard].call(createSpark, { body: sparkWith({ kindling }) });
      expect(refused).toMatchObject({
        status: 404,
        error: { code: 'NOT_FOUND', message: 'Kindling group not found.' },
      });
    }
  });
});

describe('MISC-01: the shard of an account', () => {
  const sharing = useFixture(
    () => startSharingPlatform({ SHARDS: '1', SHARD: '1', ACCOUNT_SHARDS: '1' }),
    (started) => started.harness.stop(),
  );

  it('SHR-06 LNK-05: has the links of its files, and receives the events of vaults about them', async () => {
    const owner = accountContext({ accountId: newId('acc_', 1) });
    const vault = await sharing.newSharingFixture(owner);
    const ingot_id = await vault.stored('a shared file');
    const code = await vault.share(ingot_id);
    expect(code).toMatch(/^[0-9A-Za-z]{22}01$/);
    expect(await sharing.fetched(code, 'files')).toBe('a shared file');
    const linksOfFile = () => sharing.sparksSql(`SELECT 1 FROM sparklinks WHERE asset_id = $1`, [ingot_id]);
    expect(await linksOfFile()).toHaveLength(1);
    await vault.call(deleteIngot, { params: { vault_id: vault.vault_id, ingot_id } });
    await eventually(linksOfFile, (rows) => rows.length === 0);
  });
});

describe('MISC-01 AMB-05 AMB-06: an id or code of a shard that does not exist', () => {
  it('is answered as an unknown one', async () => {
    for (const caller of callers) {
      const [spark_id, kindling, link_code] = [
        newId('spk_', 3_843),
        newId('kdl_', 3_843),
        newId('x_', 3_843).slice(2),
      ];
      expect(await read(caller, spark_id)).toMatchObject({ status: 404 });
      expect(await caller.call(deleteSpark, { params: { spark_id } })).toMatchObject({ status: 204 });
      expect(await list(caller, { kindling })).toMatchObject({ sparks: [], count: 0, has_more: false });
      expect(await caller.call(readLink, { params: { link_code } })).toMatchObject({ status: 400 });
      expect(await caller.call(createSpark, { body: sparkWith({ kindling }) })).toMatchObject({
        status: 404,
      });
    }
  });
});

describe('MISC-01: an instance of sparks', () => {
  it('refuses the call of an instance that does not know the shards, instead of storing what no call finds', async () => {
    const outdated = new Bus(platform.harness.connection, callKeysOf('gateway'));
    const context = accountContext({ accountId: callers[1].accountId });
    const made = outdated.call(createSpark, { body: { payload: 'x' } as NewSpark }, context);
    await expect(made).rejects.toMatchObject({ reason: 'INTERNAL_ERROR' });
    const stored = await rowsOf(platform.sparks, `SELECT 1 FROM sparks WHERE account_id = $1`, [
      callers[1].accountId,
    ]);
    expect(stored).toEqual([]);
  });

  it('accepts no calls with the database of another shard, and says so', async () => {
    const port = await freePort();
    const { databaseUrl, keysDatabaseUrl, schema } = await platform.harness.schema('sparks');
    const wrong = await platform.harness.startShard(sparks, 2, {
      SHARDS: '0,1,2',
      DATABASE_URL: databaseUrl,
      KEYS_DATABASE_URL: keysDatabaseUrl,
      DATABASE_SCHEMA: schema,
      PRIVATE_PORT: String(port),
    });
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
    expect([answer.status, await answer.json()]).toMatchObject([503, { waiting_for: ['shard'] }]);
    const orphan = accountContext({ accountId: newId('acc_', 2) });
    const created = platform.harness.bus.call(createSpark, { body: { payload: 'x' } as NewSpark }, orphan);
    await expect(created).rejects.toMatchObject({ cause: { service: 'sparks', kind: 'absent' } });
    await wrong.stop();
  });

  it('that is down concerns the accounts of its shard', async () => {
    const { spark_id } = await create(callers[1]);
    await second.stop();
    expect(await read(callers[1], spark_id)).toMatchObject({ status: 500 });
    const other = await create(callers[0]);
    expect(await read(callers[0], other.spark_id)).toMatchObject({ status: 200 });
    second = await platform.harness.startShard(sparks, 1);
    expect(await read(callers[1], spark_id)).toMatchObject({ status: 200, data: { payload: 'secret' } });
  });
});
