import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { bytesDiscarded, bytesSent, uploadEnded, uploadFinalized } from '@vaultsvc/contracts/forge';
import { deleteVault } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database, type Transaction } from '@vaultsvc/database';
import { reasonOf } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { useUploadPlatform, type UploadFixture } from '../testing/uploads.js';
import { OnTransfers } from './on-transfers.consumer.js';
import { VersionRepository } from './version.repository.js';

const platform = useUploadPlatform();
let fixture: UploadFixture;
beforeEach(async () => {
  fixture = await platform.newVaultFixture();
});

type Row = Record<string, unknown>;

const one = async (text: string, id: string) => (await platform.sql<Row>(text, [id]))[0];
const ingot = (id: string) => one(`SELECT * FROM ingots WHERE id = $1`, id);
const counters = () =>
  one(
    `SELECT ingot_count, storage_bytes, total_access_count, total_bandwidth_bytes FROM vaults WHERE id = $1`,
    fixture.vault_id,
  );
const versions = async (ingotId: string) =>
  (await platform.sql<{ id: string }>(`SELECT id FROM ingot_versions WHERE ingot_id = $1`, [ingotId])).map(
    ({ id }) => id,
  );
const published = async (name: string) =>
  (await fixture.events()).filter((event) => event.name === name).map(({ payload }) => payload);
const uploading = async (ingotId: string) => (await fixture.pending(ingotId)) as string;
/** Waits until an event has had this effect on an ingot. */
const becomes = (ingotId: string, column: string, value: unknown) =>
  eventually(
    () => ingot(ingotId),
    (row) => row?.[column] === value,
  );

describe('ING-40 FRG-32: a complete upload', () => {
  it('makes the ingot active, with the received size', async () => {
    const { ingot_id } = await fixture.create({
      size_bytes: 100,
      content_type: 'text/csv',
      original_filename: 'x.csv',
    });
    const version = await uploading(ingot_id);
    expect(await fixture.activate(ingot_id, version, 99)).toEqual({ is_active: true });
    expect(await ingot(ingot_id)).toMatchObject({
      status: 'active',
      size_bytes: 99,
      content_type: 'text/csv',
      original_filename: 'x.csv',
      current_version: version,
      pending_version: null,
    });
    expect(await published('vaults.version-activated')).toEqual([
      { ...fixture.ref(ingot_id, version), size_bytes: 99 },
    ]);
    expect(await counters()).toMatchObject({ ingot_count: 1, storage_bytes: 99 });
  });

  it('is activated once when the call or the event is repeated, with the same answer', async () => {
    const { ingot_id } = await fixture.create({ size_bytes: 100 });
    const version = await uploading(ingot_id);
    const fact = { ...fixture.ref(ingot_id, version), size_bytes: 100 };
    const calls = Array.from({ length: 10 }, () => fixture.activate(ingot_id, version, 100));
    await Promise.all([...calls, platform.publish(uploadFinalized, fact, fact)]);
    for (const answer of await Promise.all(calls)) expect(answer).toEqual({ is_active: true });
    await eventually(counters, (row) => row?.total_bandwidth_bytes === 200); // two events, 100 bytes each
    expect(await counters()).toMatchObject({ ingot_count: 1, storage_bytes: 100 });
    expect(await published('vaults.version-activated')).toHaveLength(1);
  });

  it('is activated by its event alone when the call is lost', async () => {
    const { ingot_id } = await fixture.create({ size_bytes: 100 });
    const version = await uploading(ingot_id);
    await platform.publish(uploadFinalized, { ...fixture.ref(ingot_id, version), size_bytes: 100 });
    await becomes(ingot_id, 'status', 'active');
    expect(await ingot(ingot_id)).toMatchObject({ current_version: version, total_bandwidth_bytes: 100 });
  });

  it('of a replacement releases the previous content with its stored bytes, and deletes its key', async () => {
    const ingot_id = await fixture.filled({ size_bytes: 100 });
    const old = (await ingot(ingot_id))?.current_version as string;
    await fixture.replace(ingot_id, { size_bytes: 30 });
    const version = await uploading(ingot_id);
    await fixture.activate(ingot_id, version, 25);
    expect(await versions(ingot_id)).toEqual([version]);
    const release = { ...fixture.ref(ingot_id, old), size_bytes: 100, reason: 'replaced', kept_until: null };
    expect(await published('vaults.version-released')).toEqual([release]);
    expect(await counters()).toMatchObject({ ingot_count: 1, storage_bytes: 25 });
  });

  it('of an unknown version, another vault or account, or a vault that is being deleted activates nothing', async () => {
    const { ingot_id } = await fixture.create({});
    const version = await uploading(ingot_id);
    const other = await platform.newVaultFixture();
    expect(await other.activate(ingot_id, version, 1)).toEqual({ is_active: false });
    expect(await fixture.activate(ingot_id, newId('ver_'), 1)).toEqual({ is_active: false });
    await fixture.call(deleteVault, { params: { vault_id: fixture.vault_id } });
    expect(await fixture.activate(ingot_id, version, 1)).toEqual({ is_active: false });
  });
});

describe('OPEN-13: an incomplete upload that ends', () => {
  it.each(['cancelled', 'expired', 'dropped'] as const)(
    '%s: fails an ingot without content',
    async (reason) => {
      const { ingot_id } = await fixture.create({});
      const version = await uploading(ingot_id);
      await platform.publish(uploadEnded, { ...fixture.ref(ingot_id, version), received_bytes: 40, reason });
      await becomes(ingot_id, 'status', 'failed');
      expect(await ingot(ingot_id)).toMatchObject({ pending_version: null, total_bandwidth_bytes: 40 });
      expect(await versions(ingot_id)).toEqual([]);
      expect(await published('vaults.version-dropped')).toEqual([fixture.ref(ingot_id, version)]);
      expect(await reasonOf(fixture.download(ingot_id))).toBe('INGOT_NOT_READY');
      expect(await counters()).toMatchObject({ ingot_count: 0, storage_bytes: 0, total_bandwidth_bytes: 40 });
    },
  );

  it('ING-33: of a replacement leaves the previous content, which is still downloaded', async () => {
    const ingot_id = await fixture.filled({ size_bytes: 100 });
    const before = await ingot(ingot_id);
    await fixture.replace(ingot_id, { size_bytes: 30 });
    const version = await uploading(ingot_id);
    await platform.publish(uploadEnded, {
      ...fixture.ref(ingot_id, version),
      received_bytes: 0,
      reason: 'cancelled',
    });
    await becomes(ingot_id, 'pending_version', null);
    expect(await ingot(ingot_id)).toMatchObject({
      status: 'active',
      current_version: before?.current_version,
    });
    expect(await fixture.download(ingot_id)).toMatchObject({ size_bytes: 100 });
  });

  it('of a superseded version changes only the traffic counters', async () => {
    const { ingot_id } = await fixture.create({ name: 'n' });
    const superseded = await uploading(ingot_id);
    await fixture.create({ name: 'n' });
    const pending = await uploading(ingot_id);
    await platform.publish(uploadEnded, {
      ...fixture.ref(ingot_id, superseded),
      received_bytes: 9,
      reason: 'dropped',
    });
    await becomes(ingot_id, 'total_bandwidth_bytes', 9);
    expect(await ingot(ingot_id)).toMatchObject({ status: 'uploading', pending_version: pending });
  });

  it('allows another upload of a failed ingot under its name', async () => {
    const { ingot_id } = await fixture.create({ name: 'again' });
    const version = await uploading(ingot_id);
    await platform.publish(uploadEnded, {
      ...fixture.ref(ingot_id, version),
      received_bytes: 0,
      reason: 'expired',
    });
    await becomes(ingot_id, 'status', 'failed');
    expect((await fixture.create({ name: 'AGAIN', size_bytes: 5 })).ingot_id).toBe(ingot_id);
    expect(await ingot(ingot_id)).toMatchObject({ status: 'uploading', size_bytes: 5 });
  });
});

describe('the rows of a version and of its ingot', () => {
  const received = { sizeBytes: 10, sealedHash: Buffer.alloc(129, 1) };
  const repository = () => platform.service.context.get(VersionRepository);
  const inOne = <T>(work: (tx: Transaction) => Promise<T>) =>
    platform.service.context.get(Database).transaction(work);
  /** A pending version, and the same one as of another vault and of another account. */
  const opened = async () => {
    const { ingot_id: ingotId, name } = await fixture.create({ size_bytes: received.sizeBytes });
    const vault = { vaultId: fixture.vault_id, accountId: fixture.caller.credential.accountId };
    const file = { ...vault, ingotId, versionId: await uploading(ingotId) };
    const inOtherVault = { ...file, vaultId: newId('vlt_') };
    return { name, file, inOtherVault, ofOtherAccount: { ...file, accountId: newId('acc_') } };
  };

  it('ENV-41 ING-40: are found, activated and dropped in their own vault and account alone', async () => {
    const { file, inOtherVault, ofOtherAccount } = await opened();
    for (const other of [inOtherVault, ofOtherAccount]) {
      expect(await inOne((tx) => repository().promote(tx, other, received))).toBe(false);
      expect(await inOne((tx) => repository().abandon(tx, other))).toBe(false);
    }
    expect(await repository().pendingOf(inOtherVault)).toBeUndefined();
    expect(await repository().find(inOtherVault)).toBeUndefined();
    const version = {
      ...inOtherVault,
      sizeBytes: 1,
      contentType: 'text/plain',
      originalFilename: null,
      modifiedAt: null,
      wrappedKey: Buffer.alloc(0),
      share: null,
    };
    const replaced = inOne((tx) => repository().replace(tx, version, undefined, undefined));
    expect(await reasonOf(replaced)).toBe('INGOT_NOT_FOUND');
    expect(await ingot(file.ingotId)).toMatchObject({ status: 'uploading', pending_version: file.versionId });
  });

  it('ENV-41 FRG-37: get a hash once, for the content of that size, in their own vault and account alone', async () => {
    const { file, inOtherVault, ofOtherAccount } = await opened();
    await inOne((tx) => repository().promote(tx, file, { ...received, sealedHash: null }));
    const hash = async () => (await repository().find(file))?.sealedHash;
    const add = (of: typeof file, given = received) => inOne((tx) => repository().addHash(tx, of, given));
    for (const other of [inOtherVault, ofOtherAccount]) await add(other);
    await add(file, { ...received, sizeBytes: 11 });
    expect(await hash()).toBeNull();
    await add(file);
    await add(file, { ...received, sealedHash: Buffer.alloc(129, 2) });
    expect(await hash()).toEqual(received.sealedHash);
  });

  it('ENV-41 SHR-12: are in use as the content or by a link that has not expired, in their own vault alone', async () => {
    const { file, inOtherVault } = await opened();
    const isLinked = () => repository().isLinked(file);
    await inOne((tx) => repository().promote(tx, file, received));
    expect([await repository().isCurrent(file), await repository().isCurrent(inOtherVault)]).toEqual([
      true,
      false,
    ]);
    expect(await repository().isCurrent({ ...file, versionId: newId('ver_') })).toBe(false);
    expect(await isLinked()).toBe(false);
    await platform.sql(
      `INSERT INTO link_keys (link_id, account_id, vault_id, ingot_id, version_id, name, size_bytes, content_type, wrapped_key, expires_at)
       VALUES ($1, $2, $3, $4, $5, 'a file', 1, 'text/plain', '', now() + interval '1 hour')`,
      [randomUUID(), file.accountId, file.vaultId, file.ingotId, file.versionId],
    );
    expect([await isLinked(), await repository().isLinked(inOtherVault)]).toEqual([true, false]);
    await platform.sql(`UPDATE link_keys SET expires_at = now() WHERE version_id = $1`, [file.versionId]);
    expect(await isLinked()).toBe(false);
  });

  it('ENV-41 ING-05 OPEN-12: have a place in their own vault and account alone, until the vault is deleted', async () => {
    const { name, file } = await opened();
    const folderId = await fixture.folder();
    const holder = (vault: object, place: object = {}) =>
      repository().holderOf({ ...file, ...vault }, { folderId: null, name, ...place });
    expect(await holder({})).toEqual({ ingotId: file.ingotId, isManaged: false });
    for (const place of [{ folderId }, { name: 'another name' }])
      expect(await holder({}, place)).toBeUndefined();
    expect(await reasonOf(holder({}, { folderId: newId('fld_') }))).toBe('FOLDER_NOT_FOUND');
    expect(await reasonOf(holder({ accountId: newId('acc_') }))).toBe('VAULT_NOT_FOUND');
    await fixture.call(deleteVault, { params: { vault_id: fixture.vault_id } });
    expect(await reasonOf(holder({}))).toBe('VAULT_NOT_FOUND');
  });
});

describe('VLT-25: counters of transfers', () => {
  it('count bytes and downloads of the ingot and of the vault, and leave updated_at unchanged', async () => {
    const ingot_id = await fixture.filled();
    const before = await ingot(ingot_id);
    const ref = fixture.ref(ingot_id, before?.current_version as string);
    await platform.publish(
      bytesSent,
      { ...ref, bytes: 500, downloads: 1 },
      { ...ref, bytes: 700, downloads: 0 },
    );
    await becomes(ingot_id, 'total_bandwidth_bytes', 1_200);
    expect(await ingot(ingot_id)).toMatchObject({ access_count: 1, updated_at: before?.updated_at });
    expect(await counters()).toMatchObject({ total_access_count: 1, total_bandwidth_bytes: 1_200 });
  });

  it('count the discarded bytes of an upload, which goes on', async () => {
    const { ingot_id } = await fixture.create({});
    const version = (await fixture.pending(ingot_id)) as string;
    await platform.publish(bytesDiscarded, { ...fixture.ref(ingot_id, version), bytes: 70 });
    await becomes(ingot_id, 'total_bandwidth_bytes', 70);
    expect(await ingot(ingot_id)).toMatchObject({
      access_count: 0,
      status: 'uploading',
      pending_version: version,
    });
  });

  it('count transfers of a deleted ingot for its vault only, and of a deleted vault not at all', async () => {
    const sent = { ...fixture.ref(newId('ing_'), newId('ver_')), bytes: 5, downloads: 1 };
    await platform.publish(bytesSent, { ...sent, vault_id: newId('vlt_') }, sent);
    await eventually(counters, (row) => row?.total_bandwidth_bytes === 5);
  });

  it('ENV-41: do not count for an ingot of another vault', async () => {
    const other = await platform.newVaultFixture();
    const ingot_id = await other.filled();
    const sent = { ...fixture.ref(ingot_id, newId('ver_')), bytes: 5, downloads: 1 };
    await platform.publish(bytesSent, sent);
    await eventually(counters, (row) => row?.total_bandwidth_bytes === 5);
    expect(await ingot(ingot_id)).toMatchObject({ access_count: 0, total_bandwidth_bytes: 0 });
  });

  it('are exact, without deadlock, after concurrent batches over the same vaults in opposite orders', async () => {
    const fixtures = await Promise.all(Array.from({ length: 6 }, () => platform.newVaultFixture()));
    const ingots = await Promise.all(fixtures.map((own) => own.filled()));
    const deliveries = fixtures.map((own, i) => ({
      payload: { ...own.ref(ingots[i] as string, newId('ver_')), bytes: 10, downloads: 1 },
    }));
    const consumer = platform.service.context.get(OnTransfers);
    const database = platform.service.context.get(Database);
    const apply = (batch: typeof deliveries) =>
      database.transaction((tx) =>
        consumer.apply(
          batch.map((delivery) => ({ ...delivery, ...envelope() })),
          tx,
        ),
      );
    const replaces = fixtures.map((own, i) => own.replace(ingots[i] as string, {}));
    const batches = Array.from({ length: 20 }, (_, i) => apply(i % 2 ? deliveries : deliveries.toReversed()));
    await Promise.all([...batches, ...replaces]);
    for (const ingotId of ingots)
      expect(await ingot(ingotId)).toMatchObject({ access_count: 20, total_bandwidth_bytes: 200 });
  });

  const envelope = () => ({
    id: randomUUID(),
    name: bytesSent.name,
    occurredAtMs: Date.now(),
    requestId: null,
    accountId: null,
  });
});
