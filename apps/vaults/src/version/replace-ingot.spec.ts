import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountContext } from '@vaultsvc/contracts';
import { replaceIngot, sealVault, type IngotReplacement } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { reasonOf } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { istkOf, useUploadPlatform, type UploadFixture } from '../testing/uploads.js';

const platform = useUploadPlatform();
let fixture: UploadFixture;
beforeAll(async () => {
  fixture = await platform.newVaultFixture();
});

interface Row {
  readonly [column: string]: unknown;
  readonly pending_version: string | null;
  readonly current_version: string | null;
  readonly updated: number;
}

const ingot = async (id: string) => {
  const rows = await platform.sql<Row>(
    `SELECT *, floor(extract(epoch FROM updated_at))::bigint AS updated FROM ingots WHERE id = $1`,
    [id],
  );
  return rows[0] as Row;
};
const replace = (ingot_id: string, body: Partial<IngotReplacement>, context: AccountContext) =>
  platform.call(
    replaceIngot,
    { params: { vault_id: fixture.vault_id, ingot_id }, body: { size_bytes: 1_000, ...body } },
    context,
  );
const reserved = async ({ caller }: UploadFixture) => {
  const [pool] = await platform.reportingSql<{ used: number; reserved: number }>(
    `SELECT storage_used AS used, storage_reserved AS reserved FROM pools WHERE account_id = $1`,
    [caller.credential.accountId],
  );
  return [pool?.used, pool?.reserved];
};

describe('replacing an ingot', () => {
  it('ING-31 ING-33: answers like a creation, with its events; the ingot stays active with its content', async () => {
    const first = { size_bytes: 10, content_type: 'text/plain', original_filename: 'First.txt' };
    const ingot_id = await fixture.filled({ ...first, name: 'first.txt' });
    const before = await ingot(ingot_id);
    const answer = await fixture.replace(ingot_id, { size_bytes: 20 });
    expect(answer).toEqual({
      ingot_id,
      name: 'first.txt',
      size_bytes: 20,
      content_type: 'text/plain',
      status: 'uploading',
      forge_url: expect.stringContaining('/encrypt?istk='),
      expires_at: expect.any(Number),
    });
    const after = await ingot(ingot_id);
    expect(after).toMatchObject({ ...first, status: 'active', current_version: before.current_version });
    expect(after.pending_version).not.toBeNull();
    expect(after.updated).toBeGreaterThan(before.updated);
    const published = (await fixture.events()).filter(({ payload }) => payload['ingot_id'] === ingot_id);
    expect(published.map(({ name }) => name).slice(-2)).toEqual([
      'vaults.ingot-replaced',
      'vaults.version-opened',
    ]);
    expect(await fixture.download(ingot_id)).toMatchObject({ ...first, status: 'ready' });
  });

  it('AMB-16: applies the name at once, type and size with the content, and keeps the filename of downloads', async () => {
    const ingot_id = await fixture.filled({ name: 'a.txt', original_filename: 'keep.txt' });
    await fixture.replace(ingot_id, { name: 'b.PNG', size_bytes: 2_000, content_type: 'image/png' });
    const old = { content_type: 'application/octet-stream', size_bytes: 1_000 };
    expect(await ingot(ingot_id)).toMatchObject({ ...old, name: 'b.PNG', file_type: 'image' });
    await fixture.activate(ingot_id, (await fixture.pending(ingot_id)) as string, 1_999);
    const whole = { content_type: 'image/png', size_bytes: 1_999, original_filename: 'keep.txt' };
    expect(await ingot(ingot_id)).toMatchObject({ ...whole, name: 'b.PNG', status: 'active' });
  });

  it('ING-31: requires a size within bounds, and accepts a reference by name', async () => {
    const ingot_id = await fixture.filled({ name: 'by-name' });
    for (const size_bytes of [undefined, 0, 1.5, 5_497_558_138_881])
      expect(await reasonOf(fixture.replace(ingot_id, { size_bytes } as Partial<IngotReplacement>))).toBe(
        'VALIDATION_ERROR',
      );
    expect((await fixture.replace(':BY-NAME', {})).ingot_id).toBe(ingot_id);
    expect(await reasonOf(fixture.replace(newId('ing_'), {}))).toBe('INGOT_NOT_FOUND');
  });

  it('AMB-15: refuses the name of another ingot in the folder, without a change or a reservation', async () => {
    const own = await platform.newVaultFixture();
    const [ingot_id] = [await own.filled({ name: 'one' }), await own.filled({ name: 'two' })];
    const before = await ingot(ingot_id);
    expect(await reasonOf(own.replace(ingot_id, { name: 'TWO' }))).toBe('INGOT_NAME_TAKEN');
    expect(await ingot(ingot_id)).toEqual(before);
    await eventually(
      () => reserved(own),
      ([used, kept]) => used === 2_000 && kept === 0,
    );
    expect((await own.replace(ingot_id, { name: 'ONE' })).name).toBe('ONE');
  });

  it('ING-38 VAT-08: refuses managed ingots and read-only tokens', async () => {
    const { ingot_id } = await fixture.store({ managedBy: 'somebody' });
    expect(await reasonOf(fixture.replace(ingot_id, {}))).toBe('INGOT_MANAGED');
    const open = await fixture.filled();
    expect(await reasonOf(replace(open, {}, fixture.at('read')))).toBe('VAT_READ_ONLY');
  });

  it('AMB-13: answers 404 and 403 before 402', async () => {
    const poor = { ...fixture.at('read_write'), pools: { plan: 'none', exhausted: [] } } as const;
    const { ingot_id } = await fixture.store({ managedBy: 'somebody' });
    expect(await reasonOf(replace(newId('ing_'), {}, poor))).toBe('INGOT_NOT_FOUND');
    expect(await reasonOf(replace(ingot_id, {}, poor))).toBe('INGOT_MANAGED');
    expect(await reasonOf(replace(await fixture.filled(), { expected_updated_at: 1 }, poor))).toBe(
      'PLAN_REQUIRED',
    );
  });
});

describe('ING-32 ENV-28: expected_updated_at', () => {
  it('refuses another value than the current one, without a change', async () => {
    const own = await platform.newVaultFixture();
    const ingot_id = await own.filled();
    const before = await ingot(ingot_id);
    for (const expected_updated_at of [before.updated - 1, before.updated + 1]) {
      const change = { name: 'changed', expected_updated_at };
      expect(await reasonOf(own.replace(ingot_id, change))).toBe('INGOT_CHANGED');
    }
    expect(await ingot(ingot_id)).toEqual(before);
    await eventually(
      () => reserved(own),
      ([used, kept]) => used === 1_000 && kept === 0,
    );
    const answer = await own.replace(ingot_id, { expected_updated_at: before.updated });
    expect(answer.status).toBe('uploading');
  });

  it('lets one of 20 concurrent calls with the same value succeed; the others change nothing', async () => {
    const ingot_id = await fixture.filled();
    const { updated } = await ingot(ingot_id);
    const attempts = Array.from({ length: 20 }, (_, i) =>
      reasonOf(fixture.replace(ingot_id, { size_bytes: 100 + i, expected_updated_at: updated })),
    );
    const outcomes = await Promise.all(attempts);
    expect(outcomes.filter((reason) => reason === 'none')).toHaveLength(1);
    expect(outcomes.filter((reason) => reason === 'INGOT_CHANGED')).toHaveLength(19);
    const versions = await platform.sql<{ size_bytes: number }>(
      `SELECT v.size_bytes FROM ingot_versions v JOIN ingots i ON i.pending_version = v.id WHERE i.id = $1`,
      [ingot_id],
    );
    expect(versions).toEqual([{ size_bytes: 100 + outcomes.indexOf('none') }]);
    expect((await ingot(ingot_id)).updated).toBeGreaterThan(updated);
  });
});

describe('a newer upload of an ingot', () => {
  it('AMB-16: supersedes the previous upload, whose ISTK is revoked before the answer', async () => {
    const ingot_id = await fixture.filled();
    const older = await fixture.replace(ingot_id, { size_bytes: 1 });
    const dropped = await fixture.pending(ingot_id);
    await fixture.replace(ingot_id, { size_bytes: 2 });
    const [istk] = await platform.forgeSql(`SELECT revoked_at FROM istks WHERE lookup = $1`, [
      istkOf(older.forge_url).lookup,
    ]);
    expect(istk?.revoked_at).not.toBeNull();
    expect(await fixture.activate(ingot_id, dropped as string, 1)).toEqual({ is_active: false });
    expect(await ingot(ingot_id)).toMatchObject({ size_bytes: 1_000, pending_version: expect.any(String) });
  });

  it('leaves one pending version at most, and no other reservations, concurrent with creations and activations', async () => {
    const own = await platform.newVaultFixture();
    const ingot_id = await own.filled({ name: 'busy', size_bytes: 50 });
    const change = async (i: number) => {
      if (i % 3 === 0) await own.create({ name: 'BUSY', size_bytes: 10 + i });
      else await own.replace(ingot_id, { size_bytes: 10 + i });
      const version = await own.pending(ingot_id);
      if (version !== null && i % 2 === 0) await own.activate(ingot_id, version, 7);
    };
    await Promise.all(Array.from({ length: 12 }, (_, i) => change(i)));
    const { current_version, pending_version, size_bytes } = await ingot(ingot_id);
    const rows = await platform.sql<{ id: string }>(`SELECT id FROM ingot_versions WHERE ingot_id = $1`, [
      ingot_id,
    ]);
    const named = [current_version, pending_version].filter((id) => id !== null);
    expect(rows.map(({ id }) => id).sort()).toEqual(named.sort());
    const [pending] = await platform.sql<{ size_bytes: number }>(
      `SELECT size_bytes FROM ingot_versions WHERE id = $1`,
      [pending_version],
    );
    await eventually(
      () => reserved(own),
      ([used, kept]) => used === size_bytes && kept === (pending?.size_bytes ?? 0),
    );
    const [vault] = await platform.sql(`SELECT ingot_count, storage_bytes FROM vaults WHERE id = $1`, [
      own.vault_id,
    ]);
    expect(vault).toEqual({ ingot_count: 1, storage_bytes: size_bytes });
  });
});

it('VLT-22: a sealed vault refuses uploads for its existing ingots', async () => {
  const own = await platform.newVaultFixture();
  const ingot_id = await own.filled();
  await own.call(sealVault, { params: { vault_id: own.vault_id } });
  expect(await reasonOf(own.replace(ingot_id, {}))).toBe('AUTHENTICATION_ERROR');
});
