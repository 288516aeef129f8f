import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig, StatefulConfig } from '@vaultsvc/config';
import { createMigrationSource } from '@vaultsvc/database';
import { startHarness, undoThrough, type Harness } from '@vaultsvc/testing/harness';
import { asOwner } from '@vaultsvc/tools-testing/service-process';
import { storage } from '../storage.js';
import { ExtendLinks1764500000000 } from './1764500000000-extend-links.js';

let harness: Harness;
let source: ReturnType<typeof createMigrationSource>;
beforeAll(async () => {
  harness = await startHarness();
  const config = loadConfig(StatefulConfig, asOwner(await harness.environment('sparks')));
  source = await createMigrationSource(config, storage).initialize();
});
afterAll(async () => {
  await source.destroy();
  await harness.stop();
});

const columns = () =>
  source.query<unknown[]>(
    `SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns
      WHERE table_schema = current_schema() ORDER BY 1, 2`,
  );
const indexes = () =>
  source.query<unknown[]>(`SELECT indexname FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1`);
const shape = async () => [...(await columns()), ...(await indexes())];
const links = () =>
  source.query<{ code_hash: Buffer }[]>(
    `SELECT encode(code_hash, 'hex') AS code_hash FROM sparklinks ORDER BY 1`,
  );

describe('the migrations of links', () => {
  it('LNK-01: keep the links of the previous release, also after a rollback', async () => {
    await source.runMigrations();
    const whole = await shape();
    await undoThrough(source, ExtendLinks1764500000000.name);
    const former = await shape();
    await source.query(
      `INSERT INTO sparklinks (code_hash, spark_id, account_id, link_type, visibility, kid, sealed_code, expires_at)
       VALUES ('\\x01', 'spk_1', 'acc_1', 'spark', 'public', 'k', '\\x00', now())`,
    );
    await source.runMigrations();
    expect(await shape()).toEqual(whole);
    expect(await source.query(`SELECT asset_id, is_managed, domain, status FROM sparklinks`)).toEqual([
      { asset_id: 'spk_1', is_managed: true, domain: 'link', status: 'active' },
    ]);
    await source.query(
      `INSERT INTO sparklinks (code_hash, asset_id, vault_id, account_id, link_type, domain, visibility, kid, sealed_code)
       VALUES ('\\x02', 'ing_1', 'vlt_1', 'acc_1', 'ingot', 'files', 'public', 'k', '\\x00')`,
    );
    await source.query(
      `UPDATE sparklinks SET status = 'consumed', consumed_at = now() WHERE asset_id = 'spk_1'`,
    );
    await source.query(
      `INSERT INTO sparklinks (code_hash, asset_id, account_id, link_type, status, revoked_at, visibility, kid, sealed_code, expires_at)
       VALUES ('\\x03', 'spk_1', 'acc_1', 'spark', 'revoked', now(), 'public', 'k', '\\x00', now())`,
    );
    await undoThrough(source, ExtendLinks1764500000000.name);
    expect(await shape()).toEqual(former);
    expect(await links()).toEqual([{ code_hash: '01' }]);
  });
});
