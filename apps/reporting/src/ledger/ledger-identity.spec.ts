import { describe, expect, it } from '@jest/globals';
import { sparkCreated } from '@vaultsvc/contracts/sparks';
import { vaultCreated } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database, isUniqueViolation } from '@vaultsvc/database';
import { eventually } from '@vaultsvc/testing/waiting';
import { register } from 'prom-client';
import { deliveryOf, linesOf, send } from '../testing/deliveries.js';
import { usePlatform } from '../testing/platform.js';
import { entriesOf } from './ledger-entries.js';
import { LedgerRepository, type Entry } from './ledger.repository.js';

const platform = usePlatform();

const action = { actor_type: 'api_key', actor_id: newId('key_') } as const;
const newSpark = (account_id: string, size_bytes = 10) =>
  deliveryOf([sparkCreated, { spark_id: newId('spk_'), account_id, size_bytes, ...action }]);
const newVault = (account_id: string) =>
  deliveryOf([vaultCreated, { vault_id: newId('vlt_'), account_id, ...action }]);

/** The number of altered events of a publisher so far. */
async function altered(source: string): Promise<number> {
  const { values = [] } = (await register.getSingleMetric('vaultsvc_events_altered_total')?.get()) ?? {};
  return values.find(({ labels }) => labels['source'] === source)?.value ?? 0;
}
const applied = (accountId: string, lines: number) =>
  eventually(
    () => linesOf(platform, accountId),
    ({ length }) => length === lines,
  );

describe('RPT-31 OPEN-29: an entry of the ledger', () => {
  it('is unique by account, source and event', async () => {
    const { context } = platform.service;
    const [ledger, database] = [context.get(LedgerRepository), context.get(Database)];
    const [entry] = entriesOf(newSpark(newId('acc_')));
    if (!entry) throw new Error('the event has no entry');
    await ledger.append(database, [
      entry,
      { ...entry, accountId: newId('acc_') },
      { ...entry, source: 'forge' },
    ]);
    const again = await ledger.append(database, [entry]).catch((error: unknown) => error);
    expect(isUniqueViolation(again, 'ledger_pkey')).toBe(true);
  });
});

describe('RPT-31: a repeated event', () => {
  it('is compared with the entry of its publisher, in which an older release names another actor for an app', async () => {
    const { context } = platform.service;
    const [ledger, database] = [context.get(LedgerRepository), context.get(Database)];
    const [entry] = entriesOf(newSpark(newId('acc_')));
    if (!entry) throw new Error('the event has no entry');
    const visited: Entry = { ...entry, accountId: newId('acc_'), actorType: 'link' };
    await ledger.append(database, [{ ...entry, source: 'forge', type: 'ingot_upload' }, entry, visited]);
    await platform.sql(`INSERT INTO processed (event_id) VALUES ($1)`, [entry.eventId]);
    const altered = (repeated: Entry) => ledger.findAltered(database, [repeated]);
    expect(await altered(entry)).toEqual([]);
    expect(await altered({ ...entry, type: 'spark_read' })).toEqual([entry.eventId]);
    expect(await altered({ ...entry, actorType: 'app' })).toEqual([]);
    expect(await altered({ ...visited, actorType: 'app' })).toEqual([entry.eventId]);
  });

  it('is dropped without an error when it has the same content, alone and within a batch', async () => {
    const account = newId('acc_');
    const before = [await altered('sparks'), await altered('vaults')];
    const [spark, vault] = [newSpark(account), newVault(account)];
    await send(platform, spark, newSpark(account, 11), spark, vault);
    await applied(account, 5);
    await send(platform, vault, spark, newSpark(account));
    await applied(account, 7);
    expect([await altered('sparks'), await altered('vaults')]).toEqual(before);
  });

  it.each([
    ['figures', (payload: object) => ({ ...payload, size_bytes: 11 })],
    ['account', (payload: object) => ({ ...payload, account_id: newId('acc_') })],
    ['actor', (payload: object) => ({ ...payload, actor_type: 'session' })],
  ])('is logged and counted when it has another content: %s; the first one stays', async (_, alter) => {
    const account = newId('acc_');
    const before = await altered('sparks');
    const spark = newSpark(account);
    await send(platform, spark);
    const recorded = await applied(account, 2);
    await send(platform, { ...spark, payload: alter(spark.payload) });
    await eventually(
      () => altered('sparks'),
      (count) => count === before + 1,
    );
    expect(await linesOf(platform, account)).toEqual(recorded);
  });

  it('is logged and counted when it has another time', async () => {
    const account = newId('acc_');
    const before = await altered('vaults');
    const vault = newVault(account);
    await send(platform, vault);
    await applied(account, 1);
    await send(platform, { ...vault, occurredAtMs: vault.occurredAtMs - 3_600_000 });
    await eventually(
      () => altered('vaults'),
      (count) => count === before + 1,
    );
  });
});
