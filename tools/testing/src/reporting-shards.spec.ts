import { beforeAll, describe, expect, it } from '@jest/globals';
import { listAccountAudit, readAuditIntegrity, readPools } from '@vaultsvc/contracts/reporting';
import { createSpark, readSpark } from '@vaultsvc/contracts/sparks';
import { shardOf } from '@vaultsvc/crypto/encoding';
import type { RunningService } from '@vaultsvc/service';
import { rowsOf, sendAgain, stopSchedule } from '@vaultsvc/testing/harness';
import { api, succeeded, type Api } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import { register } from 'prom-client';
import { openCheckpoint, VerifierKey, verifyExport } from '@vaultsvc/transparency';
import { PublishHeads } from '../../../apps/reporting/src/audit/log/publish-heads.job.js';
import { reporting } from '../../../apps/reporting/src/service-definition.js';
import { sparks } from '../../../apps/sparks/src/service-definition.js';
import { mintApiKey } from './accounts.js';
import { usePlatform } from './platform.js';

const ORIGIN = 'api.example/v1/audit-logs/log';
const platform = usePlatform({
  SHARDS: '0,1',
  SHARD: '0',
  ACCOUNT_SHARDS: '0,1',
  AUDIT_LOG_ORIGIN: ORIGIN,
});

interface Caller extends Api {
  readonly accountId: string;
  readonly apiKey: string;
}
let callers: readonly [Caller, Caller];
let databases: readonly [RunningService, RunningService];
let publishers: readonly [RunningService, RunningService];

beforeAll(async () => {
  publishers = [platform.sparks, await platform.harness.startShard(sparks, 1)];
  databases = [platform.reporting, await platform.harness.startShard(reporting, 1)];
  callers = [await callerOf(0), await callerOf(1)];
});

/** Accounts get their shard by chance: 64 tries miss one once in 2^64 runs. */
async function callerOf(shard: number): Promise<Caller> {
  for (let attempt = 0; attempt < 64; attempt += 1) {
    const minted = await mintApiKey(platform.auth);
    if (shardOf(minted.accountId) === shard)
      return { ...minted, ...api(platform.url, { key: minted.apiKey }) };
  }
  throw new Error(`no account of shard ${shard}`);
}

const body = {
  payload: '12345',
  content_type: 'text/plain',
  ttl_minutes: 5,
  filename: null,
  with_kindling: true,
};
const create = async (caller: Api) => succeeded(await caller.call(createSpark, { body }));
const pools = async (caller: Api) => succeeded(await caller.call(readPools, {}));
const typesOf = async (caller: Api) =>
  succeeded(await caller.call(listAccountAudit, { query: { limit: 100 } })).entries.map(
    ({ event_type }) => event_type,
  );
/** The lines of an account's ledger that the database of a shard has: type, stored and transferred bytes. */
const ledgerIn = (shard: 0 | 1, { accountId }: Caller) =>
  rowsOf(
    databases[shard],
    `SELECT type, storage_bytes, bandwidth_bytes FROM ledger WHERE account_id = $1 AND type LIKE 'spark%' ORDER BY type`,
    [accountId],
  );

const rowsOfAccount = async (shard: 0 | 1, table: string, { accountId }: Caller) =>
  (await rowsOf(databases[shard], `SELECT 1 FROM ${table} WHERE account_id = $1`, [accountId])).length;

describe('MISC-01: the events of an account', () => {
  it.each([
    [0, 1],
    [1, 0],
  ] as const)(
    'SPK-22 AUD-01 BIL-03: a read of a Spark of shard %d by an account of shard %d is recorded by the shard of each, once',
    async (own, other) => {
      const [owner, reader] = [await callerOf(own), await callerOf(other)];
      const { spark_id } = await create(owner);
      expect(await reader.call(readSpark, { params: { spark_id } })).toMatchObject({ status: 200 });
      await eventually(
        () => ledgerIn(other, reader),
        (lines) => lines.length > 0,
      );
      await eventually(
        () => ledgerIn(own, owner),
        (lines) => lines.length === 2,
      );
      expect(await ledgerIn(own, owner)).toEqual([
        { type: 'spark_create', storage_bytes: 5, bandwidth_bytes: 5 },
        { type: 'spark_read', storage_bytes: -5, bandwidth_bytes: null },
      ]);
      expect(await ledgerIn(other, reader)).toEqual([
        { type: 'spark_read', storage_bytes: null, bandwidth_bytes: 5 },
      ]);
      expect([await ledgerIn(other, owner), await ledgerIn(own, reader)]).toEqual([[], []]);
      for (const table of ['audit_heads', 'usage_by_hour', 'usage_totals', 'pools'])
        expect([table, await rowsOfAccount(other, table, owner)]).toEqual([table, 0]);
      expect(await pools(owner)).toMatchObject({ storage: { used: 0 }, bandwidth: { used: 5 } });
      expect(await pools(reader)).toMatchObject({ storage: { used: 0 }, bandwidth: { used: 5 } });
      expect(await typesOf(owner)).toEqual(expect.arrayContaining(['spark_created', 'spark_read']));
      expect(await typesOf(reader)).not.toContain('spark_read');
    },
  );
});

describe('MISC-01 BIL-03: a repeated event of two accounts', () => {
  it('is the same for the shard of each', async () => {
    const [owner, reader] = callers;
    const { spark_id } = await create(owner);
    expect(await reader.call(readSpark, { params: { spark_id } })).toMatchObject({ status: 200 });
    const isRecorded = (shard: 0 | 1, of: Caller, type: string) =>
      eventually(
        () => ledgerIn(shard, of),
        (lines) => lines.some((line) => line['type'] === type),
      );
    await Promise.all([isRecorded(0, owner, 'spark_read'), isRecorded(1, reader, 'spark_read')]);
    const repeated = await sendAgain(
      publishers[0],
      `name = 'sparks.read' AND payload->>'spark_id' = '${spark_id}'`,
    );
    expect(repeated).toHaveLength(1);
    // Applied in order: what follows is recorded after the repetition was compared.
    await Promise.all([create(owner), create(reader)]);
    await eventually(
      () => ledgerIn(0, owner),
      (lines) => lines.length === 3,
    );
    await isRecorded(1, reader, 'spark_create');
    const altered = await register.getSingleMetric('vaultsvc_events_altered_total')?.get();
    expect(altered?.values).toEqual([]);
  });
});

describe('MISC-01 AUD-14 AUD-15: the transparency log of a shard', () => {
  // A scheduled run could have the head that a test publishes, which would go on before it is in the log.
  beforeAll(() => stopSchedule(...databases));

  const logFile = (path: string) => fetch(`${platform.url}/v1/audit-logs/log/${path}`);
  async function* exportOf({ apiKey }: Caller): AsyncGenerator<string, void, void> {
    const response = await fetch(`${platform.url}/v1/audit-logs/export`, {
      headers: { 'x-api-key': apiKey },
    });
    yield* (await response.text()).trimEnd().split('\n');
  }

  it.each([
    [0, ORIGIN, ''],
    [1, `${ORIGIN}/s1`, 's1/'],
  ] as const)('%d is public, and proves the entries of its accounts', async (shard, origin, folder) => {
    const caller = await callerOf(shard); // whose log nothing else extends meanwhile
    await create(caller);
    await eventually(
      () => typesOf(caller),
      (types) => types.length === 1,
    );
    await databases[shard].context.get(PublishHeads).run();
    const integrity = succeeded(await caller.call(readAuditIntegrity, {}));
    expect(integrity).toMatchObject({ state: 'verified', origin, entries: 1 });
    const note = await (await logFile(`${folder}checkpoint`)).text();
    const keys = integrity.keys.map((key) => VerifierKey.parse(key));
    expect(openCheckpoint(note, origin, keys)).toMatchObject({ size: integrity.tree_size });
    const read = async (tile: string) => Buffer.from(await (await logFile(folder + tile)).arrayBuffer());
    const report = await verifyExport(exportOf(caller), { keys, pinned: note, read });
    expect(report).toMatchObject({
      header: { origin },
      entries: 1,
      lastHead: { seq: 1 },
      log: { comparison: 'same' },
    });
  });

  it.each([
    's2/checkpoint',
    's0/checkpoint',
    's01/checkpoint',
    's1/',
    's1/s1/checkpoint',
    's3844/checkpoint',
  ])('has no file %s', async (path) => {
    expect((await logFile(path)).status).toBe(404);
  });
});
