import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mintSparks, readSpark, type SparkMinting } from '@vaultsvc/contracts/sparks';
import { readStructured, type StructuredValue } from '@vaultsvc/contracts/vaults';
import { Bus } from '@vaultsvc/messaging';
import { deadlineIn, genericPlanOf, stopSchedule } from '@vaultsvc/testing/harness';
import pg from 'pg';
import { newRetrievalFixture, type RetrievalFixture } from '../../testing/retrieval.js';
import { useSharingPlatform } from '../../testing/sharing.js';
import { findValues } from '../structured-value.repository.js';

const SPARK_BYTES = 256_000;
const MEBIBYTE = 1_048_576;

const platform = useSharingPlatform();
let fixture: RetrievalFixture;
beforeAll(async () => {
  await stopSchedule(platform.service);
  fixture = await newRetrievalFixture(platform);
});
afterEach(() => void jest.restoreAllMocks());

const names = Array.from({ length: 100 }, (_, index) => `key ${index}`);
const dataOf = (keys: readonly string[], bytes = 0) =>
  Object.fromEntries(keys.map((name) => [name, name.padEnd(bytes)]));

describe('retrieving the values of a hundred keys', () => {
  it('STR-10: executes a constant number of statements', async () => {
    const { ingot_id } = await fixture.create(dataOf(names));
    const queried = jest.spyOn(pg.Client.prototype, 'query');
    await fixture.retrieve(ingot_id, names);
    const statements = queried.mock.calls.map(([query]) => (query as { name?: string }).name ?? '');
    expect(statements.filter((name) => name === 'sparks.insert-many')).toHaveLength(1);
    // Nine of its own; a consumed event may add some.
    expect(statements.filter((name) => name.startsWith('vaults.')).length).toBeLessThan(12);
  });

  it('STR-10: sends values of the maximum size in seven consecutive batches and uses little memory', async () => {
    const { ingot_id } = await fixture.create({});
    for (let from = 0; from < names.length; from += 25)
      await fixture.patch(ingot_id, { set: dataOf(names.slice(from, from + 25), SPARK_BYTES) });
    const called = jest.spyOn(platform.service.context.get(Bus), 'call');
    const params = { vault_id: fixture.vault_id, ingot_id };
    // A long deadline: the test measures memory, also on a busy machine.
    const context = { ...fixture.at('read'), deadlineMs: deadlineIn(60) };
    const [answer, peakBytes] = await peakWhile(() =>
      platform.harness.bus.call(readStructured, { params, query: { keys: names.join(',') } }, context),
    );
    const batches = called.mock.calls.filter(([op]) => op.name === mintSparks.name);
    expect(
      batches.map(([, input]) => (input as unknown as { body: SparkMinting }).body.sparks.length),
    ).toEqual([16, 16, 16, 16, 16, 16, 4]);
    expect(Object.keys(answer.values ?? {})).toEqual(names);
    expect(peakBytes).toBeLessThan(256 * MEBIBYTE);
    const { spark_id } = (answer.values ?? {})['key 99'] as StructuredValue;
    const { payload } = await platform.call(readSpark, { params: { spark_id } }, fixture.caller);
    expect(payload === 'key 99'.padEnd(SPARK_BYTES)).toBe(true);
  });
});

describe('the plan of the statement that finds values', () => {
  it('uses the primary key, also without table statistics', async () => {
    await fixture.create(dataOf(Array.from({ length: 5_000 }, (_, index) => `${index}`)));
    const plan = await genericPlanOf(platform.service, findValues.text);
    expect(plan).toMatch(/Index Scan using structured_values_pkey .*\n.*Index Cond: .*blind = asked.key/);
    expect(plan).not.toMatch(/Seq Scan on structured_values/);
  });
});

/** The peak growth of memory during the work, of all services, since they run in this process. */
async function peakWhile<T>(work: () => Promise<T>): Promise<[T, number]> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
  try {
    return [await work(), peak - before];
  } finally {
    clearInterval(timer);
  }
}
