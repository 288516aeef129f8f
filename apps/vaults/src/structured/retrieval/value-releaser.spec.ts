import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mintSparks } from '@vaultsvc/contracts/sparks';
import { deleteVault, sealVault, type KeyValues } from '@vaultsvc/contracts/vaults';
import { Bus } from '@vaultsvc/messaging';
import { reasonOf, rowsOf, stopSchedule } from '@vaultsvc/testing/harness';
import { raceUntilSeen } from '@vaultsvc/testing/races';
import { startKms, type TestServer } from '@vaultsvc/testing/servers';
import { eventually, until } from '@vaultsvc/testing/waiting';
import { emptyKeyCaches, sparks as sparksService } from '@vaultsvc/tools-testing/services/sparks';
import { newRetrievalFixture, sparksOf, type RetrievalFixture } from '../../testing/retrieval.js';
import { startSharingPlatform, type SharingPlatform } from '../../testing/sharing.js';
import { AbandonExpiredClaims } from './abandon-expired-claims.job.js';
import { StructuredTransactions } from '../structured-transactions.js';
import { StructuredValueRepository } from '../structured-value.repository.js';

const SPARK_BYTES = 256_000;

let platform: SharingPlatform;
let kms: TestServer;
beforeAll(async () => {
  kms = await startKms();
  platform = await startSharingPlatform({ KMS_ENDPOINT: kms.url });
  await stopSchedule(platform.service);
});
afterEach(() => void jest.restoreAllMocks());
afterAll(async () => {
  await platform.harness.stop();
  await kms.stop();
});

const setFault = (mode: string) =>
  fetch(`${kms.url}/_fault`, { method: 'POST', body: JSON.stringify({ mode }) });

/** Runs `act` before the n-th batch is sent to sparks. */
function beforeBatch(nth: number, act: () => Promise<unknown>): void {
  const bus = platform.service.context.get(Bus);
  const call = bus.call.bind(bus);
  let batches = 0;
  jest.spyOn(bus, 'call').mockImplementation(async (...given) => {
    if (given[0].name === mintSparks.name && ++batches === nth) await act();
    return call(...given);
  });
}

/** Runs `act` when all Sparks are created, before the commit that releases them. */
function beforeCommit(act: () => Promise<unknown>): void {
  const transactions = platform.service.context.get(StructuredTransactions);
  const run = transactions.run.bind(transactions);
  jest.spyOn(transactions, 'run').mockImplementationOnce(async (...given) => {
    await act();
    return run(...given);
  });
}

/** An ingot whose values fill two batches: 16 in the first, and one of version 2 in the second. */
async function twoBatches() {
  const fixture = await newRetrievalFixture(platform);
  const names = Array.from({ length: 17 }, (_, index) => `k${index}`);
  const { ingot_id } = await fixture.create(
    Object.fromEntries(names.map((name) => [name, name.padEnd(SPARK_BYTES)])),
  );
  await fixture.patch(ingot_id, { set: { k16: 'k16'.padEnd(SPARK_BYTES - 1) } });
  return { fixture, ingot_id, retrieve: () => fixture.retrieve(ingot_id, names) };
}

/** Waits until sparks has consumed the event of the abandoned claim: no Spark and no storage is left. */
function expectNoSparks({
  unread,
  heldBytes,
}: Pick<RetrievalFixture, 'unread' | 'heldBytes'>): Promise<void> {
  return until(async () => (await unread()) === 0 && (await heldBytes()) === 0);
}

/** Expects that a retrieval left no Spark, no storage, no access and no event. */
async function expectNothing(fixture: RetrievalFixture): Promise<void> {
  await expectNoSparks(fixture);
  expect(await fixture.counters()).toMatchObject({ total_access_count: 0 });
  expect((await fixture.events()).map(({ name }) => name)).not.toContain('vaults.structured-retrieved');
}

describe('STR-12: a retrieval of several values releases none', () => {
  it('when the database rejects a batch', async () => {
    const { fixture, retrieve } = await twoBatches();
    await platform.sparksSql(
      `ALTER TABLE sparks ADD CONSTRAINT refused CHECK (size_bytes <> ${SPARK_BYTES - 1}) NOT VALID`,
    );
    let mintedBefore = 0;
    beforeBatch(2, async () => (mintedBefore = await fixture.unread()));
    expect(await reasonOf(retrieve())).toBe('INTERNAL_ERROR');
    await platform.sparksSql(`ALTER TABLE sparks DROP CONSTRAINT refused`);
    expect(mintedBefore).toBe(16);
    await expectNothing(fixture);
    expect(Object.keys((await retrieve()).values)).toHaveLength(17);
    expect(await fixture.unread()).toBe(17);
  });

  it('when KMS fails between two batches', async () => {
    const { fixture, retrieve } = await twoBatches();
    beforeBatch(2, async () => {
      await setFault('down');
      emptyKeyCaches(platform.sparks);
    });
    expect(await reasonOf(retrieve())).toBe('INTERNAL_ERROR');
    await setFault('none');
    await expectNothing(fixture);
    await until(() => retrieve().then(() => true));
  });

  it('when a row of the second batch was tampered with', async () => {
    const { fixture, ingot_id, retrieve } = await twoBatches();
    await platform.sql(
      `UPDATE structured_values SET sealed_value = set_byte(sealed_value, 1000, 255 - get_byte(sealed_value, 1000))
        WHERE ingot_id = $1 AND version = 2`,
      [ingot_id],
    );
    expect(await reasonOf(retrieve())).toBe('INTERNAL_ERROR');
    await expectNothing(fixture);
  });

  it('when a row has a wrong size, and answers 500, not 400', async () => {
    const { fixture, ingot_id, retrieve } = await twoBatches();
    await platform.sql(`UPDATE structured_values SET size_bytes = 1 WHERE ingot_id = $1`, [ingot_id]);
    expect(await reasonOf(retrieve())).toBe('INTERNAL_ERROR');
    await expectNothing(fixture);
  });

  it('when its event cannot be inserted', async () => {
    const { fixture, retrieve } = await twoBatches();
    await platform.sql(
      `ALTER TABLE outbox ADD CONSTRAINT refused CHECK (name <> 'vaults.structured-retrieved') NOT VALID`,
    );
    expect(await reasonOf(retrieve())).toBe('INTERNAL_ERROR');
    await platform.sql(`ALTER TABLE outbox DROP CONSTRAINT refused`);
    await expectNothing(fixture);
  });
});

describe('STR-12: a retrieval whose instance dies before it answers', () => {
  const claims = (fixture: RetrievalFixture) =>
    platform.sql(`SELECT 1 FROM spark_claims WHERE account_id = $1`, [fixture.caller.credential.accountId]);
  /** Simulates that the instances that inserted the claims died a while ago. */
  const abandonExpired = async () => {
    await platform.sql(`UPDATE spark_claims SET created_at = created_at - interval '31 seconds'`);
    await platform.service.context.get(AbandonExpiredClaims).run();
  };

  it('leaves Sparks that another instance removes', async () => {
    const { fixture, retrieve } = await twoBatches();
    await platform.sql(
      `ALTER TABLE outbox ADD CONSTRAINT refused CHECK (name NOT LIKE 'vaults.s%') NOT VALID`,
    );
    expect(await reasonOf(retrieve())).toBe('INTERNAL_ERROR');
    await platform.sql(`ALTER TABLE outbox DROP CONSTRAINT refused`);
    expect([await fixture.unread(), (await claims(fixture)).length]).toEqual([17, 1]);
    await abandonExpired();
    await expectNothing(fixture);
    expect(await claims(fixture)).toEqual([]);
  });

  it('fails when its claim was abandoned while it was still running', async () => {
    const { fixture, retrieve } = await twoBatches();
    beforeCommit(abandonExpired);
    expect(await reasonOf(retrieve())).toBe('INTERNAL_ERROR');
    await expectNothing(fixture);
  });

  it('keeps its Sparks if it had answered', async () => {
    const { fixture, retrieve } = await twoBatches();
    await retrieve();
    expect(await claims(fixture)).toEqual([]);
    await abandonExpired();
    expect(await fixture.unread()).toBe(17);
  });
});

describe('a retrieval that races a change of its ingot', () => {
  const start = async (data: KeyValues = { a: 'old a', b: 'old b' }) => {
    const fixture = await newRetrievalFixture(platform);
    const name = `of ${fixture.vault_id}`;
    const { ingot_id } = await fixture.create(data, name);
    const texts = async (keys = ['a', 'b']) => {
      const answer = await fixture.retrieve(ingot_id, keys);
      return [...(await fixture.read(answer)).values()].map(({ payload }) => payload);
    };
    return { fixture, ingot_id, name, texts };
  };
  /** Runs `act` after the key of the ingot is read and before its values are. */
  const betweenKeyAndValues = (act: () => Promise<unknown>) => {
    const values = platform.service.context.get(StructuredValueRepository);
    const find = values.find.bind(values);
    jest.spyOn(values, 'find').mockImplementationOnce(async (...given) => {
      await act();
      return find(...given);
    });
  };

  it('STR-06: returns the new values after an overwrite between key and values', async () => {
    const { fixture, name, texts } = await start();
    betweenKeyAndValues(() => fixture.create({ a: 'new a', b: 'new b' }, name));
    expect(await texts()).toEqual(['new a', 'new b']);
    expect(await fixture.counters()).toMatchObject({ total_access_count: 1 });
  });

  it('STR-15: returns the new value after a PATCH between key and values', async () => {
    const { fixture, ingot_id, texts } = await start();
    betweenKeyAndValues(() => fixture.patch(ingot_id, { set: { a: 'new a' } }));
    expect(await texts()).toEqual(['new a', 'old b']);
  });

  it('STR-22: answers 404 after a deletion between key and values', async () => {
    const { fixture, ingot_id, texts } = await start();
    betweenKeyAndValues(() => fixture.remove(ingot_id));
    expect(await reasonOf(texts())).toBe('INGOT_NOT_FOUND');
    await expectNothing(fixture);
  });

  it('STR-06: returns values of one version during many overwrites and PATCHes', async () => {
    const { fixture, name, ingot_id, texts } = await start({ a: 0, b: 0 });
    let isOver = false;
    const write = async () => {
      for (let round = 1; round <= 15 || seen.length <= 5; round += 1) {
        await fixture.create({ a: round, b: round }, name);
        await fixture.patch(ingot_id, { set: { a: -round, b: -round } });
      }
      isOver = true;
    };
    const seen: string[][] = [];
    const read = async () => {
      while (!isOver) seen.push(await texts());
    };
    await Promise.all([write(), read(), read(), read()]);
    for (const values of seen) expect(values).toEqual([values[0], values[0]]);
  });
});

describe('VAT-11: a retrieval that races a seal', () => {
  it('releases no Spark when the seal comes before its commit', async () => {
    const { fixture, retrieve } = await twoBatches();
    beforeCommit(() => fixture.call(sealVault, { params: { vault_id: fixture.vault_id } }));
    expect(await reasonOf(retrieve())).toBe('AUTHENTICATION_ERROR');
    await expectNothing(fixture);
  });

  it('releases no Spark when the vault is deleted before its commit', async () => {
    const fixture = await newRetrievalFixture(platform);
    const { ingot_id } = await fixture.create({ a: 'x' });
    beforeCommit(() => fixture.call(deleteVault, { params: { vault_id: fixture.vault_id } }));
    expect(await reasonOf(fixture.retrieve(ingot_id, ['a']))).toBe('VAULT_NOT_FOUND');
    await expectNoSparks(fixture);
  });

  it(
    'succeeds before the seal, or releases no Spark',
    () =>
      raceUntilSeen(['none', 'AUTHENTICATION_ERROR'], 20, async (together) => {
        const fixture = await newRetrievalFixture(platform);
        const { ingot_id } = await fixture.create({ a: 'x', b: 'y' });
        const [outcome] = await together(
          () => reasonOf(fixture.retrieve(ingot_id, ['a', 'b'])),
          () => fixture.call(sealVault, { params: { vault_id: fixture.vault_id } }),
        );
        const published = (await fixture.eventsSinceSeal()).map(({ name }) => name);
        expect(published).not.toContain('vaults.structured-retrieved');
        if (outcome === 'none') expect([await fixture.unread(), await fixture.heldBytes()]).toEqual([2, 2]);
        else await expectNoSparks(fixture);
        return outcome;
      }),
    120_000,
  );
});

describe('OPEN-58: retrieved values', () => {
  it('use storage until they are read, and bandwidth when they are created and when they are read', async () => {
    const fixture = await newRetrievalFixture(platform);
    const { ingot_id } = await fixture.create({ a: 'x'.repeat(1_000), b: 'y'.repeat(500) });
    const used = async () => {
      const [row] = await platform.reportingSql<{ storage: number; bandwidth: number }>(
        `SELECT storage_used AS storage, bandwidth_used AS bandwidth FROM pools WHERE account_id = $1`,
        [fixture.caller.credential.accountId],
      );
      return row ?? { storage: 0, bandwidth: 0 };
    };
    const becomes = (storage: number, bandwidth: number) =>
      eventually(used, (now) => now.storage === storage && now.bandwidth === bandwidth);
    await becomes(1_500, 1_500);
    const answer = await fixture.retrieve(ingot_id, ['a', 'b', 'missing']);
    await becomes(3_000, 3_000);
    await fixture.read(answer);
    await becomes(1_500, 4_500);
  });
});

describe('a retrieval while sparks is down', () => {
  it('STR-12: fails, and the Sparks of its first batch are removed once sparks is up again', async () => {
    const { fixture, retrieve } = await twoBatches();
    beforeBatch(2, () => platform.sparks.stop());
    expect(await reasonOf(retrieve())).toBe('INTERNAL_ERROR');
    expect(await reasonOf(retrieve())).toBe('INTERNAL_ERROR');
    const sparks = await platform.harness.start(sparksService, { KMS_ENDPOINT: kms.url });
    platform = { ...platform, sparks, sparksSql: (text, values) => rowsOf(sparks, text, values) };
    await expectNoSparks(sparksOf(platform, fixture.caller));
  });
});
