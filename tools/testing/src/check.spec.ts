import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { ownerUrlOf } from '@vaultsvc/testing/servers';
import { buildService } from './service-process.js';
import { auth } from '../../../apps/auth/src/service-definition.js';

const run = promisify(execFile);
const harness = useHarness({ LOG_LEVEL: 'silent' });
let bundle: string;
let environment: Record<string, string>;
beforeAll(async () => {
  bundle = await buildService('auth');
  await harness.start(auth);
  environment = await harness.environment('auth');
});

/** The exit code of the program, and the first two words of each line. */
async function check(changes: Record<string, string> = {}) {
  const env = { ...environment, ...changes };
  const { code, stdout } = await run(process.execPath, [join(bundle, 'check.js')], { env }).then(
    (done) => ({ ...done, code: 0 }),
    (error: { code: number; stdout: string }) => error,
  );
  const lines = stdout.trim().split('\n');
  const failed = lines.filter((line) => !line.startsWith('ok')).map((line) => line.split(/\s{2,}/)[1]);
  return { code, lines, failed, stdout };
}

describe('the program check', () => {
  it('says of each part that it works, and exits with 0', async () => {
    const { code, lines, failed } = await check();
    expect(failed).toEqual([]);
    expect(code).toBe(0);
    expect(lines.map((line) => line.split(/\s{2,}/)[1])).toEqual([
      'settings',
      'nats',
      'message keys',
      'postgres',
      'kms',
      'redis',
      'CREDENTIAL_RECORD_KEY',
      'POOL_SNAPSHOT_KEY',
    ]);
  });

  const key = Buffer.alloc(32, 7).toString('base64');
  it.each([
    ['nats', { NATS_URL: 'nats://127.0.0.1:1' }],
    ['message keys', { CALL_KEYS: `gateway-auth:${key}` }],
    ['kms', { KMS_ENDPOINT: 'http://127.0.0.1:1' }],
    ['redis', { REDIS_URL: 'redis://auth:wrong@127.0.0.1:1' }],
    ['CREDENTIAL_RECORD_KEY', { CREDENTIAL_RECORD_KEY: key }],
  ])('names %s when it does not work, says what to do, and exits with 1', async (name, changes) => {
    const { code, failed, lines } = await check(changes);
    expect(code).toBe(1);
    expect(failed).toContain(name);
    const line = lines.find((one) => one.includes(name) && one.startsWith('FAIL')) ?? '';
    expect(line).toMatch(/\. [A-Z].+\.$/);
  });

  it('names the role of the owner and a schema without migrations', async () => {
    const { DATABASE_URL = '' } = environment;
    const asOwner = await check({ DATABASE_URL: ownerUrlOf(DATABASE_URL) });
    expect(asOwner).toMatchObject({ code: 1, failed: ['postgres'] });
    expect(asOwner.stdout).toContain('owns the schema');
    expect(await check({ DATABASE_SCHEMA: 'public' })).toMatchObject({ code: 1, failed: ['postgres'] });
  });

  it('names wrong and unknown settings without their values', async () => {
    const { code, stdout } = await check({ LOG_LEVEL: 'hunter2', DATABSE_POOL_MAX: 'hunter3' });
    expect(code).toBe(1);
    expect(stdout).toContain('LOG_LEVEL must be one of');
    expect(stdout).toContain('unknown setting DATABSE_POOL_MAX: did you mean DATABASE_POOL_MAX?');
    expect(stdout).not.toMatch(/hunter[23]/);
  });
});
