import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDvak, deleteVault, readStructured, revokeDvak, sealVault } from '@vaultsvc/contracts/vaults';
import { Database } from '@vaultsvc/database';
import { lockWaiters, reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import { raceUntilSeen } from '@vaultsvc/testing/races';
import { eventually } from '@vaultsvc/testing/waiting';
import { vaults } from '../service-definition.js';
import { RemoveVaults } from '../removal/remove-vaults.job.js';
import { startPlatform, type Platform } from '../testing/platform.js';
import { newStructuredFixture, type StructuredFixture } from '../testing/structured.js';
import { EXCLUSIVE_LOCK } from '../vault/vault-advisory-lock.js';

let platform: Platform;
let fixture: StructuredFixture;
beforeAll(async () => {
  // A third of the connections may wait for one vault, and some tests have five waiting.
  platform = await startPlatform({ LOG_LEVEL: 'silent', DATABASE_POOL_MAX: '15' });
  await stopSchedule(platform.service);
  fixture = await newStructuredFixture(platform);
});
afterAll(() => platform.harness.stop());

const many = <T>(count: number, make: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => make(i)));
const namesOf = async (ingotId: string, on = fixture) => [...(await on.stored(ingotId)).keys()].toSorted();
const eventsOf = async (ingotId: string, on = fixture) =>
  (await on.events())
    .filter(({ payload }) => payload['ingot_id'] === ingotId)
    .map(({ name }) => name.replace('vaults.structured-', ''));

/** Starts the calls one after the other while another connection locks the vault, so that they queue in this order. */
async function queuedBehind<T>(on: StructuredFixture, ...calls: (() => Promise<T>)[]): Promise<T[]> {
  const answers: Promise<T>[] = [];
  await whileLocked(on, async () => {
    for (const call of calls) {
      answers.push(call());
      await eventually(waiting, (count) => count === answers.length);
    }
  });
  return Promise.all(answers);
}

async function whileLocked(on: StructuredFixture, work: () => Promise<void>): Promise<void> {
  const holder = await platform.service.context.get(Database).connect();
  try {
    await holder.query('BEGIN');
    const values = [on.vault_id, on.caller.credential.accountId];
    await holder.query(`SELECT FROM vaults, ${EXCLUSIVE_LOCK} WHERE id = $1 FOR UPDATE OF vaults`, values);
    await work();
    await holder.query('COMMIT');
  } finally {
    holder.release();
  }
}

const waiting = () => lockWaiters(platform.service);

describe('concurrent PATCHes of a structured ingot', () => {
  it('STR-16: raise the version by one for each 200 and lose no update, in 20 rounds of 20 calls', () =>
    changeInRounds(20));

  it('STR-16 MISC-08: do so at two instances', async () => {
    const settings = { LOG_LEVEL: 'silent', DATABASE_POOL_MAX: '15' };
    const other = await platform.harness.start(vaults, settings); // in the same queue group
    await stopSchedule(other);
    await changeInRounds(10);
    await other.stop();
  });

  async function changeInRounds(rounds: number) {
    const { ingot_id } = await fixture.create({ last: 'none' });
    const winners = ['last'];
    for (let round = 0, version = 1; round < rounds; round++) {
      const won = await winnersOf(ingot_id, round);
      expect(won.length).toBeGreaterThan(0);
      expect(won.map((one) => one.version)).toEqual(won.map((_, i) => version + i + 1));
      winners.push(...won.map(({ key }) => key));
      version += won.length;
      expect(await fixture.describe(ingot_id)).toMatchObject({ version, key_count: winners.length });
      expect((await fixture.stored(ingot_id)).get('last')).toBe(won.at(-1)?.key);
    }
    expect((await fixture.describe(ingot_id)).keys).toEqual(winners.toSorted());
    expect(await namesOf(ingot_id)).toEqual(winners.toSorted());
  }

  /** Makes 20 calls that each set their own key and a common one. Returns those that were answered 200, by version. */
  async function winnersOf(ingotId: string, round: number) {
    const answers = await many(20, async (i) => {
      const key = `${round}-${i}`;
      const answer = fixture.patch(ingotId, { set: { [key]: i, last: key } });
      const reason = await reasonOf(answer);
      if (reason === 'none') return { key, version: (await answer).version };
      expect(reason).toBe('STRUCTURED_OVERTAKEN');
      return undefined;
    });
    return answers.filter((one) => one !== undefined).sort((one, other) => one.version - other.version);
  }

  it('STR-16: refuse the second call at once, without a retry, and without changing anything', async () => {
    const { ingot_id } = await fixture.create({ a: 'first' });
    const set = (value: string) => reasonOf(fixture.patch(ingot_id, { set: { a: value, [value]: 1 } }));
    const answers: Promise<string>[] = [];
    await whileLocked(fixture, async () => {
      answers.push(set('x'));
      await eventually(waiting, (count) => count === 1);
      const second = set('y');
      answers.push(second);
      await second; // the first is still waiting for the lock
    });
    expect(await Promise.all(answers)).toEqual(['none', 'STRUCTURED_OVERTAKEN']);
    expect(Object.fromEntries(await fixture.stored(ingot_id))).toEqual({ a: 'x', x: '1' });
    expect(await eventsOf(ingot_id)).toEqual(['created', 'updated']);
  });
});

describe('a PATCH that races an overwrite', () => {
  it('STR-06 STR-16: is refused when it started before the overwrite, although the version is 1 again', async () => {
    const own = await newStructuredFixture(platform);
    const { ingot_id, name } = await own.create({ a: 'old' });
    const answers = await queuedBehind(
      own,
      () => reasonOf(own.create({ b: 'new' }, name)),
      () => reasonOf(own.patch(ingot_id, { set: { c: 'of before' } })),
    );
    expect(answers).toEqual(['none', 'STRUCTURED_OVERTAKEN']);
    expect(Object.fromEntries(await own.stored(ingot_id))).toEqual({ b: 'new' });
    expect(await own.describe(ingot_id)).toMatchObject({ version: 1, key_count: 1 });
  });

  it('STR-06 STR-16: leaves an ingot that opens, whichever call commits first', async () => {
    const { ingot_id, name } = await fixture.create({});
    await raceUntilSeen(['overtaken', 'before', 'after'], 20, async (together) => {
      const [, reason] = await together(
        () => fixture.create({ fresh: 1 }, name),
        () => reasonOf(fixture.patch(ingot_id, { set: { patched: 1 } })),
      );
      const names = await namesOf(ingot_id);
      const { version, keys } = await fixture.describe(ingot_id);
      expect(keys).toEqual(names);
      expect(names).toEqual(version === 2 ? ['fresh', 'patched'] : ['fresh']);
      if (reason !== 'none') return reason === 'STRUCTURED_OVERTAKEN' ? 'overtaken' : reason;
      return version === 2 ? 'after' : 'before';
    });
  });

  it('STR-09: lets concurrent reads see the names of one version only', async () => {
    const name = 'read while written';
    const sets = [0, 1].map((n) =>
      Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`${n}-${i}`, i])),
    );
    const { ingot_id } = await fixture.create(sets[0] ?? {}, name);
    const [readings] = await Promise.all([
      many(40, () => fixture.describe(ingot_id)),
      many(10, (i) => fixture.create(sets[i % 2] ?? {}, name)),
    ]);
    for (const { keys = [] } of readings) {
      expect(keys).toHaveLength(50);
      expect(new Set(keys.map((key) => key[0])).size).toBe(1);
    }
  });
});

describe('concurrent changes of a structured ingot', () => {
  it('AMB-43 STR-06: answer 201 to ten POSTs of one name, and store the content of one of them', async () => {
    const own = await newStructuredFixture(platform);
    for (let round = 0; round < 5; round++) {
      const name = `one name ${round}`;
      const made = await many(10, (i) => own.create({ [`of-${i}`]: i, same: `${i}` }, name));
      const ids = new Set(made.map(({ ingot_id }) => ingot_id));
      expect(ids.size).toBe(1);
      const [ingot_id] = [...ids] as [string];
      const kept = await own.stored(ingot_id);
      expect([...kept.keys()].toSorted()).toEqual([`of-${kept.get('same')}`, 'same']);
      expect((await eventsOf(ingot_id, own)).toSorted()).toEqual([
        'created',
        ...Array(9).fill('overwritten'),
      ]);
    }
    expect(await own.rowCount()).toBe(10);
    expect(await own.counters()).toMatchObject({ ingot_count: 5, storage_bytes: 10 });
  });

  it('STR-17: let one of ten DELETEs succeed, which is counted once and publishes one event', async () => {
    const own = await newStructuredFixture(platform);
    const { ingot_id } = await own.create({ a: 1 });
    const reasons = await many(10, () => reasonOf(own.remove(ingot_id)));
    expect(reasons.toSorted()).toEqual([...Array(9).fill('INGOT_NOT_FOUND'), 'none']);
    expect(await eventsOf(ingot_id, own)).toEqual(['created', 'deleted']);
    expect(await own.counters()).toMatchObject({ ingot_count: 0, storage_bytes: 0 });
  });

  it('STR-17: leave no row behind when a PATCH races the DELETE', async () => {
    const own = await newStructuredFixture(platform);
    await raceUntilSeen(['none', 'INGOT_NOT_FOUND'], 10, async (together) => {
      const { ingot_id } = await own.create({ a: 1 });
      const [reason] = await together(
        () => reasonOf(own.patch(ingot_id, { set: { b: 2 } })),
        () => own.remove(ingot_id),
      );
      expect(await own.rowCount()).toBe(0);
      return reason;
    });
    expect(await own.counters()).toMatchObject({ ingot_count: 0, storage_bytes: 0 });
  });

  it('AMB-43: recreate the ingot or delete it when an overwrite races the DELETE', async () => {
    const own = await newStructuredFixture(platform);
    await raceUntilSeen(['deleted', 'recreated'], 10, async (together) => {
      const { ingot_id, name } = await own.create({ a: 1 });
      await together(
        () => own.create({ b: 2 }, name),
        () => own.remove(ingot_id),
      );
      const left = (await own.list()).ingots[0]?.ingot_id;
      expect(left).not.toBe(ingot_id);
      expect(await own.rowCount()).toBe(left ? 1 : 0);
      if (left) await own.remove(left);
      return left ? 'recreated' : 'deleted';
    });
    expect(await own.counters()).toMatchObject({ ingot_count: 0, storage_bytes: 0 });
  });
});

describe('a change that races the end of its token or vault', () => {
  it('VLT-22 STR-16: writes nothing after the seal of the vault', async () => {
    const { caller } = fixture;
    await raceUntilSeen(['none', 'AUTHENTICATION_ERROR'], 10, async (together) => {
      const own = await newStructuredFixture(platform, caller);
      const { ingot_id } = await own.create({ a: 1 });
      const [reason] = await together(
        () => reasonOf(own.patch(ingot_id, { set: { b: 2 } })),
        () => own.call(sealVault, { params: { vault_id: own.vault_id } }),
      );
      expect((await own.eventsSinceSeal()).map(({ name }) => name)).not.toContain(
        'vaults.structured-updated',
      );
      expect(await own.rowCount()).toBe(reason === 'none' ? 2 : 1);
      return reason;
    });
  });

  it('DVK-19 STR-16: writes nothing and releases no value after the delegated key is revoked', async () => {
    const own = await newStructuredFixture(platform, fixture.caller);
    const { ingot_id } = await own.create({ a: 1 });
    const params = { vault_id: own.vault_id };
    const body = { vmk: own.vmk, dvak_type: 'nhi', nhi_description: 'meanwhile' } as const;
    const dvak = await own.call(createDvak, { params, body });
    const { vat } = await platform.unseal(own.vault_id, { dvak_token: dvak.dvak_token }, own.caller);
    const delegated = { ...own.caller, vault: { token: vat, accessLevel: 'read_write' } as const };
    const query = { keys: 'nothing' };
    const calls = [
      () => own.patch(ingot_id, { set: { b: 2 } }, delegated),
      () => own.create({ c: 3 }, 'another', delegated),
      () => own.remove(ingot_id, delegated),
      () => platform.call(readStructured, { params: { ...params, ingot_id }, query }, delegated),
    ];
    const revocation = { params: { ...params, last4: dvak.last_4_chars } };
    const [revoked, ...reasons] = await queuedBehind(
      own,
      () => reasonOf(own.call(revokeDvak, revocation)),
      ...calls.map((call) => () => reasonOf(call())),
    );
    expect(revoked).toBe('none');
    expect(reasons).toEqual(calls.map(() => 'AUTHENTICATION_ERROR'));
    expect(Object.fromEntries(await own.stored(ingot_id))).toEqual({ a: '1' });
    expect(await own.rowCount()).toBe(1);
  });

  it('VLT-24 OPEN-12: is deleted with the vault, and the events balance its bytes', async () => {
    await raceUntilSeen(['written', 'refused'], 10, async (together) => {
      const own = await newStructuredFixture(platform, fixture.caller);
      const { ingot_id } = await own.create({ a: 'aa' });
      const [reasons] = await together(
        () =>
          Promise.all([
            reasonOf(own.patch(ingot_id, { set: { b: 'bbb' } })),
            reasonOf(own.create({ c: 'cccc' }, 'another')),
          ]),
        () => own.call(deleteVault, { params: { vault_id: own.vault_id } }),
      );
      await platform.service.context.get(RemoveVaults).run();
      expect(await left(own)).toEqual([{ values: 0, structured: 0, ingots: 0 }]);
      expect(await balance(own)).toBe(0);
      return reasons.includes('none') ? 'written' : 'refused';
    });
  });

  const left = ({ vault_id }: StructuredFixture) =>
    platform.sql(
      `SELECT (SELECT count(*) FROM structured_values WHERE vault_id = $1) AS "values",
              (SELECT count(*) FROM structured_ingots WHERE vault_id = $1) AS structured,
              (SELECT count(*) FROM ingots WHERE vault_id = $1) AS ingots`,
      [vault_id],
    );
  /** The bytes stored less the bytes removed, according to the events. */
  const balance = async (own: StructuredFixture) =>
    (await own.events()).reduce(
      (bytes, { payload }) =>
        bytes + Number(payload['stored_bytes'] ?? 0) - Number(payload['size_bytes'] ?? 0),
      0,
    );
});
