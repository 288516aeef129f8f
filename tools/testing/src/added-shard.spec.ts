import { expect, it } from '@jest/globals';
import { createSpark, listSparks, readSpark } from '@vaultsvc/contracts/sparks';
import { shardOf } from '@vaultsvc/crypto/encoding';
import type { RunningService } from '@vaultsvc/service';
import { rowsOf, urlOf } from '@vaultsvc/testing/harness';
import { api, succeeded, type Api } from '@vaultsvc/testing/http';
import { auth } from '../../../apps/auth/src/service-definition.js';
import { gateway } from '../../../apps/gateway/src/service-definition.js';
import { reporting } from '../../../apps/reporting/src/service-definition.js';
import { sparks } from '../../../apps/sparks/src/service-definition.js';
import { freePort } from '../../stack/servers/ports.ts';
import { mintApiKey } from './accounts.js';
import { usePlatform } from './platform.js';

const platform = usePlatform();
const KNOWN = { SHARDS: '0,1' };
const body = {
  payload: 'secret',
  content_type: 'text/plain',
  ttl_minutes: 5,
  filename: null,
  with_kindling: false,
};

/** Creates and reads Sparks, one after the other, until it is stopped. The caller may change meanwhile. */
function startTraffic(callerNow: () => Api) {
  const failures: unknown[] = [];
  let [isOver, calls] = [false, 0];
  const run = async () => {
    while (!isOver) {
      const caller = callerNow();
      calls += 1;
      try {
        const { spark_id } = succeeded(await caller.call(createSpark, { body }));
        const { payload } = succeeded(await caller.call(readSpark, { params: { spark_id } }));
        if (payload !== 'secret') failures.push(payload);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  const ended = run();
  return {
    calls: () => calls,
    stop: async () => {
      isOver = true;
      await ended;
      return failures;
    },
  };
}

/** Accounts get their shard by chance: 64 tries miss one once in 2^64 runs. */
async function accountOf(shard: number, service: RunningService) {
  for (let attempt = 0; attempt < 64; attempt += 1) {
    const account = await mintApiKey(service);
    if (shardOf(account.accountId) === shard) return account;
  }
  throw new Error(`no account of shard ${shard}`);
}

it('MISC-01: a shard is added to a running deployment, without a failed call, and gets new accounts; former ones stay where they are', async () => {
  const { harness } = platform;
  const former = await mintApiKey(platform.auth);
  expect(shardOf(former.accountId)).toBe(0);
  let caller = api(platform.url, { key: former.apiKey });
  const { spark_id } = succeeded(await caller.call(createSpark, { body }));
  const traffic = startTraffic(() => caller);

  // deploy/README.md, "Shards", steps 4 to 6.
  const second = await harness.startShard(sparks, 1, KNOWN);
  await harness.startShard(reporting, 1, KNOWN);
  const first = await harness.start(sparks, { ...KNOWN, SHARD: '0' });
  await platform.sparks.stop();
  await harness.start(reporting, { ...KNOWN, SHARD: '0' });
  await platform.reporting.stop();
  const ports = { HTTP_PORT: '0', LINK_PORT: String(await freePort()), FILES_PORT: String(await freePort()) };
  const entrance = await harness.start(gateway, { ...KNOWN, ...ports, FORGE_ORIGIN: platform.forgeUrl });
  caller = api(urlOf(entrance), { key: former.apiKey });
  const later = await harness.start(auth, { ...KNOWN, ACCOUNT_SHARDS: '0,1' });
  await platform.auth.stop();

  const added = await accountOf(1, later);
  const own = api(urlOf(entrance), { key: added.apiKey });
  const created = succeeded(await own.call(createSpark, { body }));
  expect(created.spark_id).toMatch(/^spk_[0-9A-Za-z]{22}01$/);
  const countIn = async (service: RunningService) =>
    (await rowsOf(service, `SELECT 1 FROM sparks WHERE id = $1`, [created.spark_id])).length;
  expect([await countIn(first), await countIn(second)]).toEqual([0, 1]);
  expect(await own.call(readSpark, { params: { spark_id: created.spark_id } })).toMatchObject({
    status: 200,
  });
  expect(await own.call(readSpark, { params: { spark_id: created.spark_id } })).toMatchObject({
    status: 403,
  });

  expect(await traffic.stop()).toEqual([]);
  expect(traffic.calls()).toBeGreaterThan(10);
  const latest = succeeded(await caller.call(createSpark, { body }));
  const { sparks: listed } = succeeded(await caller.call(listSparks, { query: { limit: 100 } }));
  expect(listed.map((one) => one.spark_id)).toContain(latest.spark_id);
  expect(await caller.call(readSpark, { params: { spark_id } })).toMatchObject({
    status: 200,
    data: { payload: 'secret' },
  });
});
