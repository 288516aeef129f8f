import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from '@vaultsvc/config';
import { createSpark, generateEntropy, readSpark } from '@vaultsvc/contracts/sparks';
import { newKeys, sealKeysFile, writeKeysFile } from '@vaultsvc/crypto/kms/file';
import type { RunningService } from '@vaultsvc/service';
import { rewrapAll } from '@vaultsvc/service/rewrap';
import { api, succeeded, type Api } from '@vaultsvc/testing/http';
import { startTransit, transitSettingsOf, type TestServer } from '@vaultsvc/testing/servers';
import { rewrap } from '../../../apps/sparks/src/rewrap-tables.js';
import { sparks } from '../../../apps/sparks/src/service-definition.js';
import { mintApiKey, mintSession } from './accounts.js';
import { startPlatform, type Platform } from './platform.js';

const PACE = { batch: 50, perSecond: 10_000, isCheck: false };

let transit: TestServer;
let folder: string;
let fileSettings: Record<string, string>;
beforeAll(async () => {
  transit = await startTransit();
  folder = mkdtempSync(join(tmpdir(), 'vaultsvc-kms-'));
  const passphrase = randomBytes(32).toString('base64');
  writeFileSync(join(folder, 'passphrase'), passphrase, { mode: 0o600 });
  const keys = await sealKeysFile(newKeys(['vk-root', 'vk-system']), Buffer.from(passphrase));
  await writeKeysFile(join(folder, 'keys'), keys);
  fileSettings = fileSettingsOf('KMS_');
});
afterAll(async () => {
  await transit.stop();
  rmSync(folder, { recursive: true });
});

function fileSettingsOf(prefix: string): Record<string, string> {
  return {
    [`${prefix}PROVIDER`]: 'file',
    [`${prefix}KEYS_FILE`]: join(folder, 'keys'),
    [`${prefix}PASSPHRASE_FILE`]: join(folder, 'passphrase'),
  };
}

async function newCaller(platform: Platform): Promise<Api> {
  return api(platform.url, { key: (await mintApiKey(platform.auth)).apiKey });
}

const create = async (caller: Api, payload: string) =>
  succeeded(
    await caller.call(createSpark, {
      body: { payload, content_type: 'text/plain', ttl_minutes: 60 } as never,
    }),
  ).spark_id;

const read = async (caller: Api, spark_id: string) =>
  succeeded(await caller.call(readSpark, { params: { spark_id } })).payload;

const draw = (caller: Api) =>
  caller.call(generateEntropy, { body: { format: 'hex', num_bytes: 16, with_commitment: false } });

describe('OPEN-45: a platform with KMS_PROVIDER=transit', () => {
  it('keeps Sparks and sessions, and draws random data where the operator names a hardware source', async () => {
    const platform = await startPlatform({
      ...transitSettingsOf(transit.url),
      KMS_TRANSIT_RANDOM: 'seal',
      KMS_REGION: '',
      KMS_ENDPOINT: '',
    });
    try {
      const caller = await newCaller(platform);
      expect(await read(caller, await create(caller, 'over transit'))).toBe('over transit');
      expect((await mintSession(platform.auth)).token).toMatch(/^ey/);
      expect(succeeded(await draw(caller)).value).toMatch(/^[0-9a-f]{32}$/);
    } finally {
      await platform.stop();
    }
  });
});

describe('OPEN-45: a platform with KMS_PROVIDER=file', () => {
  let platform: Platform;
  let caller: Api;
  beforeAll(async () => {
    platform = await startPlatform({
      ...fileSettings,
      KMS_REGION: '',
      KMS_ENDPOINT: '',
      // The next provider, which every instance has to read before the first one wraps with it.
      ...transitSettingsOf(transit.url, 'KMS_SECOND_'),
      KMS_SECOND_KEY_ID: 'vk-root',
    });
    caller = await newCaller(platform);
  });
  afterAll(() => platform.stop());

  it('keeps Sparks and sessions', async () => {
    expect(await read(caller, await create(caller, 'sealed by a file'))).toBe('sealed by a file');
    expect((await mintSession(platform.auth)).token).toMatch(/^ey/);
  });

  it('ENT-17: answers 500 CRYPTOGRAPHIC_ERROR for random data: a file is no hardware', async () => {
    expect(await draw(caller)).toMatchObject({ status: 500, error: { code: 'CRYPTOGRAPHIC_ERROR' } });
  });

  it('moves to transit under traffic: every Spark is read, also without the file in the end', async () => {
    const kept = await create(caller, 'from before the move');
    const both = { ...transitSettingsOf(transit.url), ...fileSettingsOf('KMS_SECOND_') };
    const next = await platform.harness.start(sparks, both);
    const traffic = makeTraffic(caller, 60);
    expect(leftOf(await move(both))).toBe(0);
    expect(await traffic).toBe(60);
    // The last instance with the former settings may have made a data key meanwhile.
    await platform.sparks.stop();
    expect(leftOf(await move(both))).toBe(0);
    const alone = { ...transitSettingsOf(transit.url), KMS_SECOND_PROVIDER: 'none' };
    await replace(next, alone);
    expect(await read(caller, kept)).toBe('from before the move');
    expect(await read(caller, await create(caller, 'after the move'))).toBe('after the move');
    expect(leftOf(await move(alone, true))).toBe(0);
  });

  const leftOf = (reports: { left: number }[]) => reports.reduce((sum, { left }) => sum + left, 0);

  async function move(settings: Record<string, string>, isCheck = false) {
    const environment = await platform.harness.environment('sparks', settings);
    return rewrapAll(rewrap, loadConfig(rewrap.config, environment), { ...PACE, isCheck });
  }

  /** A new process starts without cached keys, before the former one ends. */
  async function replace(former: RunningService, settings: Record<string, string>): Promise<void> {
    await platform.harness.start(sparks, settings);
    await former.stop();
  }
});

/** Creates and reads Sparks, four at a time. Returns the number of those that were read as they were created. */
async function makeTraffic(caller: Api, count: number): Promise<number> {
  const payloads = Array.from({ length: count }, (_, index) => `traffic ${index}`).values();
  let right = 0;
  const worker = async () => {
    for (const payload of payloads)
      if ((await read(caller, await create(caller, payload))) === payload) right += 1;
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  return right;
}
