import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from '@vaultsvc/config';
import { Kms } from '@vaultsvc/crypto/kms';
import { rewrapAll } from '@vaultsvc/service/rewrap';
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
import { useSharingPlatform } from './testing/sharing.js';

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
    `SELECT * FROM dvaks WHERE system_purpose = 'sharing' ORDER BY id`,
  );
  await client.end();
  return rows;
}

const openedBy = (kms: Kms, { account_id, vault_id, wrapped_key }: ShareKey) =>
  kms.decrypt(wrapped_key, { svc: 'vaults', purpose: 'vault-share', account_id, vault_id });

describe('OPEN-45: rewrap of vaults', () => {
  it('moves the share keys of all vaults, and none of the wraps of holders', async () => {
    for (const content of ['one', 'two']) {
      const fixture = await platform.newSharingFixture();
      await fixture.share(await fixture.stored(content));
    }
    const before = await shareKeys();
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
    aws.close();
  });
});
