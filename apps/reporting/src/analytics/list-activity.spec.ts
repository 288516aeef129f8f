import { describe, expect, it } from '@jest/globals';
import type { Event } from '@vaultsvc/contracts';
import { bytesSent, uploadFinalized } from '@vaultsvc/contracts/forge';
import { listActivity } from '@vaultsvc/contracts/reporting';
import { entropyGenerated, sparklinkCreated, sparkRead } from '@vaultsvc/contracts/sparks';
import { eventsConsumedBy } from '@vaultsvc/contracts/catalog';
import {
  ingotCreated,
  ingotDeleted,
  ingotDownloaded,
  ingotReplaced,
  ingotUpdated,
  vaultCreated,
  versionActivated,
  versionReleased,
} from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { entriesOf } from '../ledger/ledger-entries.js';
import { action, AnalyticsAccount } from '../testing/analytics.js';
import { deliveryOf, send, type Fact } from '../testing/deliveries.js';
import { usePlatform } from '../testing/platform.js';
import { presentationOf } from './activity-types.js';

const platform = usePlatform();
const HOUR_MS = 3_600_000;

const list = (
  account: AnalyticsAccount,
  query: { limit?: string; event_type?: string; period?: string } = {},
) => account.call(listActivity, { query });
const typesOf = async (...call: Parameters<typeof list>) =>
  (await list(...call)).events.map(({ event_type }) => event_type);

describe('the activity of an account', () => {
  it('RPT-15 RPT-16 RPT-17: lists what happened, newest first, with the types of the API', async () => {
    const account = new AnalyticsAccount(platform);
    const vault_id = newId('vlt_');
    const caused = { vault_id, account_id: account.id, ...action };
    const ingot = { ...caused, ingot_id: newId('ing_') };
    const spark = account.newSpark();
    const link = { link_id: 'l', link_type: 'spark', asset_id: spark.spark_id, vault_id: null };
    const entropy = { ...action, account_id: account.id, reference_id: newId('ent_'), bytes: 90 };
    const facts: readonly Fact[] = [
      [vaultCreated, caused],
      [ingotCreated, ingot],
      [ingotUpdated, ingot],
      account.sparkCreated(),
      [sparklinkCreated, { ...caused, ...link }],
      [entropyGenerated, entropy],
      [sparkRead, { ...spark, reader_account_id: account.id }],
    ];
    const start = Date.now() - HOUR_MS;
    for (const [i, fact] of facts.entries()) await account.record([fact], start + i * 1_000);
    const shown = await list(account);
    expect(shown).toMatchObject({ count: 7, period: 'day', filtered_by: null });
    expect(shown.events.map(({ event_type }) => event_type)).toEqual([
      'spark_read',
      'entropy_generate',
      'sparklink_create',
      'spark_created',
      'ingot_updated',
      'ingot_created',
      'vault_created',
    ]);
    const timestamp = Math.floor((start + 2_000) / 1_000);
    expect(shown.events[4]).toEqual({
      event_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      event_type: 'ingot_updated',
      description: 'Ingot updated',
      icon: 'file',
      reference_id: ingot.ingot_id,
      vault_id,
      timestamp,
      datetime: new Date(timestamp * 1_000).toISOString().replace('.000', ''),
    });
    expect(shown.events[1]).toMatchObject({ vault_id: null, reference_id: entropy.reference_id });
  });

  it('RPT-15: answers with events, newest first, and with their count, the period and the filter', async () => {
    const account = new AnalyticsAccount(platform);
    const start = Date.now() - HOUR_MS;
    const ids: (string | undefined)[] = [];
    for (let i = 0; i < 3; i++)
      ids.push((await account.record([account.sparkCreated()], start + i * 1_000))[0]?.id);
    const caused = { vault_id: newId('vlt_'), account_id: account.id, ...action };
    await account.record([[vaultCreated, caused]], start + 500);
    const { events, ...rest } = await list(account, {
      limit: '2',
      period: 'week',
      event_type: 'spark_created',
    });
    expect(events.map(({ event_id }) => event_id)).toEqual([ids[2], ids[1]]);
    expect(rest).toEqual({ count: 2, period: 'week', filtered_by: 'spark_created' });
  });

  it('RPT-15 RPT-17: has one event for an upload, a download, a replacement and a deletion', async () => {
    const account = new AnalyticsAccount(platform);
    const ingot = { account_id: account.id, vault_id: newId('vlt_'), ingot_id: newId('ing_') };
    const version = { ...ingot, version_id: newId('ver_'), size_bytes: 7 };
    const calls = { ...ingot, ...action };
    const shownAfter = async (...facts: readonly Fact[]) => {
      const before = (await list(account)).count;
      for (const fact of facts) await account.record([fact]);
      const { events } = await list(account);
      return events
        .slice(0, events.length - before)
        .map(({ event_type }) => event_type)
        .sort();
    };
    const uploaded: readonly Fact[] = [
      [uploadFinalized, version],
      [versionActivated, version],
    ];
    expect(await shownAfter([ingotCreated, calls], ...uploaded)).toEqual(['ingot_created', 'ingot_upload']);
    const sent = { ...version, bytes: 4, downloads: 1 };
    expect(
      await shownAfter([ingotDownloaded, calls], [bytesSent, sent], [bytesSent, { ...sent, downloads: 0 }]),
    ).toEqual(['ingot_download']);
    const released = (reason: string): Fact => [versionReleased, { ...version, reason, kept_until: null }];
    expect(
      await shownAfter(
        [ingotReplaced, { ...calls, version_id: version.version_id }],
        ...uploaded,
        released('replaced'),
      ),
    ).toEqual(['ingot_replace', 'ingot_upload']);
    expect(await shownAfter([ingotDeleted, calls], released('deleted'))).toEqual(['ingot_delete']);
    expect(await typesOf(account, { event_type: 'ingot_upload' })).toEqual(['ingot_upload', 'ingot_upload']);
    expect(await typesOf(account, { event_type: 'ingot_delete' })).toEqual(['ingot_delete']);
  });

  it('RPT-12: lists 50 events, as many as requested, or at most 200', async () => {
    const account = new AnalyticsAccount(platform);
    await account.record(Array.from({ length: 205 }, () => account.sparkCreated()));
    const counts = ['7', '200', '999', '9'.repeat(30), undefined, 'abc', '0', '-1', '1.5', ''].map(
      async (limit) => (await list(account, { limit })).count,
    );
    expect(await Promise.all(counts)).toEqual([7, 200, 200, 200, 50, 50, 50, 50, 50, 50]);
  });

  it('RPT-13: has only events of exactly the requested type', async () => {
    const account = new AnalyticsAccount(platform);
    const caused = { vault_id: newId('vlt_'), account_id: account.id, ...action };
    await account.record([account.sparkCreated(), [vaultCreated, caused]]);
    await account.record([[sparkRead, { ...account.newSpark(), reader_account_id: account.id }]]);
    expect(await typesOf(account, { event_type: 'spark_created' })).toEqual(['spark_created']);
    expect(await typesOf(account, { event_type: 'spark_read' })).toEqual(['spark_read']);
    for (const event_type of ['spark', 'spark_create', 'SPARK_CREATED', 'spark_created ', '%', ''])
      expect(await list(account, { event_type })).toMatchObject({ events: [], filtered_by: event_type });
  });

  it('RPT-14: has the last 24 hours, whatever period is requested', async () => {
    const account = new AnalyticsAccount(platform);
    const now = Date.now();
    await account.record([account.sparkCreated()], now - 24 * HOUR_MS - 1_000);
    const recent = await account.record([account.sparkCreated()], now - 23 * HOUR_MS);
    for (const period of ['quarter', 'day', 'any'])
      expect(await list(account, { period })).toMatchObject({
        period,
        events: [{ event_id: recent[0]?.id }],
      });
  });

  it('RPT-15: has a late event in its place, and a repeated one once', async () => {
    const account = new AnalyticsAccount(platform);
    const now = Date.now();
    const [newest] = await account.record([account.sparkCreated()], now);
    const [late] = await account.record([account.sparkCreated()], now - HOUR_MS);
    if (newest && late) await send(platform, late, newest, late);
    await account.record([], now);
    expect((await list(account)).events.map(({ event_id }) => event_id)).toEqual([newest?.id, late?.id]);
  });

  it('RPT-33: has no events of other accounts', async () => {
    const account = new AnalyticsAccount(platform);
    await account.record([account.sparkCreated()]);
    expect(await list(new AnalyticsAccount(platform))).toMatchObject({ events: [], count: 0 });
  });

  it('RPT-16: has a description and an icon for each type of the ledger', () => {
    const any = new Proxy(
      {},
      { get: (_, name) => (String(name).endsWith('bytes') ? 1 : 'x'), has: () => true },
    );
    const types = eventsConsumedBy('reporting').flatMap((event: Event) =>
      entriesOf(deliveryOf([event, any])).map(({ type }) => type),
    );
    expect(new Set(types).size).toBeGreaterThan(25);
    for (const type of [...types, 'ingot_replace'])
      expect(presentationOf(type)).toEqual({
        event_type: expect.any(String),
        description: expect.stringMatching(/^[A-Z]/),
        icon: expect.any(String),
      });
  });
});
