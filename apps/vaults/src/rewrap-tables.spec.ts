import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from '@vaultsvc/config';
import { createDvak, listDvaks, revokeDvak } from '@vaultsvc/contracts/vaults';
import { Kms } from '@vaultsvc/crypto/kms';
import { Database } from '@vaultsvc/database';
import { rewrapAll, type WrappedTable } from '@vaultsvc/service/rewrap';
import {
  awsKeyOf,
  sharedServers,
  startTransit,
  transitKeyOf,
  transitSettingsOf,
  type TestServer,
} from '@vaultsvc/testing/servers';
import pg from 'pg';
import { VaultsConfig } from './config.js';
import { rewrap } from './rewrap-tables.js';
import { useSharingPlatform, type SharingFixture } from './testing/sharing.js';

const platform = useSharingPlatform({ LOG_LEVEL: 'silent' });
let transit: TestServer;
beforeAll(async () => {
  transit = await startTransit();
});
afterAll(() => transit.stop());

interface ShareKey {
  readonly id: string;
  readonly account_id: string;
  readonly vault_id: string;
  readonly wrapped_key: Buffer;
}

async function shareKeys(): Promise<ShareKey[]> {
  const { databaseUrl } = await platform.harness.schema('vaults');
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<ShareKey>(
    `SELECT * FROM dvaks WHERE system_purpose = 'sharing' AND status = 'active' ORDER BY id`,
  );
  await client.end();
  return rows;
}

const openedBy = (kms: Kms, { account_id, vault_id, wrapped_key }: ShareKey) =>
  kms.decrypt(wrapped_key, { svc: 'vaults', purpose: 'vault-share', account_id, vault_id });

/** A key that its holder wraps, not key management. */
const delegate = ({ vault_id, vmk, call }: SharingFixture) =>
  call(createDvak, { params: { vault_id }, body: { vmk, dvak_type: 'nhi', nhi_description: 'a robot' } });

async function revokeShareKey({ vault_id, call }: SharingFixture): Promise<void> {
  const { dvaks } = await call(listDvaks, { params: { vault_id }, query: {} });
  for (const { last_4_chars: last4 } of dvaks) await call(revokeDvak, { params: { vault_id, last4 } });
}

describe('OPEN-45: rewrap of vaults', () => {
  it('moves the share keys of all vaults but revoked ones, and none of the wraps of holders', async () => {
    const fixtures = [];
    for (const content of ['one', 'two', 'revoked']) {
      const fixture = await platform.newSharingFixture();
      await fixture.share(await fixture.stored(content));
      fixtures.push(fixture);
    }
    const [holding, , revoking] = fixtures as [SharingFixture, SharingFixture, SharingFixture];
    const { dvak_token } = await delegate(holding);
    await revokeShareKey(revoking);
    const before = await shareKeys();
    const [database] = rewrap.databases;
    const table = database?.tableOf(platform.service.context.get(Database)) as WrappedTable;
    const read = await table.readAfter(undefined, 2);
    const aws = new Kms({ key: awsKeyOf(sharedServers().kmsUrl, 'alias/vk-system') });
    const plaintexts = await Promise.all(before.map((row) => openedBy(aws, row)));
    const settings = {
      ...transitSettingsOf(transit.url),
      KMS_SECOND_PROVIDER: 'aws',
      KMS_SECOND_KEY_ID: 'alias/vk-system',
      KMS_SECOND_REGION: 'us-east-1',
      KMS_SECOND_ENDPOINT: sharedServers().kmsUrl,
      FORGE_ORIGIN: 'http://127.0.0.1:1',
    };
    const config = loadConfig(VaultsConfig, await platform.harness.environment('vaults', settings));
    const lines: string[] = [];
    const options = { batch: 1, perSecond: 10_000, isCheck: false };
    const reports = await rewrapAll(rewrap, config, options, (line) => lines.push(line));
    expect(reports).toMatchObject([{ keys: 2, moved: 2, left: 0 }]);
    expect(lines.at(-1)).toBe('vaults share keys in dvaks: 2 keys, 2 moved, 0 left');
    const moved = new Kms({ key: transitKeyOf(transit.url, 'vk-system') });
    expect(await Promise.all((await shareKeys()).map((row) => openedBy(moved, row)))).toEqual(plaintexts);
    // A reader of the row as it was before the move replaces nothing.
    for (const key of read) expect(await table.replace(key, key.wrapped)).toBe(false);
    expect(await Promise.all((await shareKeys()).map((row) => openedBy(moved, row)))).toEqual(plaintexts);
    const { vault_id } = await platform.unseal(holding.vault_id, { dvak_token }, holding.caller);
    expect(vault_id).toBe(holding.vault_id);
    aws.close();
  });
});
