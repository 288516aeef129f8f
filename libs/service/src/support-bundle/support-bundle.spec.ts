import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StatefulConfig } from '@vaultsvc/config';
import { collectSupport } from './collect-support.js';
import { tarGz } from './tar-gz.js';

const key = () => randomBytes(32).toString('base64');
const password = 'canary/pass word';
const signingKey = key();
const [callKey, newerCallKey] = [key(), key()];
const eventKey = key();
const seed = `SU${'A'.repeat(56)}`;

let folder: string;
let server: Server;
let environment: NodeJS.ProcessEnv;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vaultsvc-support-'));
  server = createServer((request, response) => response.end(`answer to ${request.url}\n`));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  environment = {
    PROFILE: 'local',
    NATS_URL: `nats://user:${encodeURIComponent(password)}@127.0.0.1:4222`,
    NATS_NKEY_SEED: seed,
    CALL_KEYS: `gateway-sparks:${callKey},gateway-sparks:${newerCallKey}`,
    EVENT_SIGNING_KEY: signingKey,
    EVENT_KEYS: `auth:${eventKey}`,
    DATABASE_URL: `postgres://sparks:${encodeURIComponent(password)}@db.example.com/vaultsvc`,
    DATABASE_SCHEMA: 'sparks',
    PRIVATE_PORT: String((server.address() as AddressInfo).port),
    UNRELATED: 'not a setting',
  };
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const collect = (changed: NodeJS.ProcessEnv = {}, logs: string[] = []) =>
  collectSupport({
    service: 'sparks',
    config: StatefulConfig,
    environment: { ...environment, ...changed },
    logs,
  });
const secrets = () => [password, encodeURIComponent(password), seed, callKey, newerCallKey, signingKey];

describe('A support bundle', () => {
  it('has versions, settings, readiness, metrics and the end of log files', async () => {
    const log = join(folder, 'sparks.log');
    writeFileSync(log, '{"msg":"the last line, without postgres"}\n');
    const files = await collect({}, [log, join(folder, 'absent.log')]);
    expect(JSON.parse(files['sparks/version.json'] ?? '')).toMatchObject({
      service: 'sparks',
      node: process.version,
    });
    expect(JSON.parse(files['sparks/settings.json'] ?? '')).toMatchObject({
      settings: {
        DATABASE_SCHEMA: 'sparks',
        DATABASE_POOL_MAX: '10',
        DATABASE_URL: '[secret]',
        EVENT_KEYS: 'auth',
      },
      problems: [],
    });
    expect(files['sparks/readyz.json']).toBe('answer to /readyz\n');
    expect(files['sparks/metrics.txt']).toBe('answer to /metrics\n');
    expect(files['sparks/log-1.txt']).toContain('the last line, without postgres');
    expect(files['sparks/log-2.txt']).toMatch(/^cannot be read: ENOENT/);
    expect(JSON.stringify(files)).not.toContain('not a setting');
  });

  it('MISC-03: contains no secret of the settings, not even one that a log line contained', async () => {
    const log = join(folder, 'leaking.log');
    writeFileSync(log, secrets().join('\n'));
    const text = JSON.stringify(await collect({}, [log]));
    for (const secret of secrets()) expect(text).not.toContain(secret);
    expect(text).toContain('[redacted]');
  });

  it('MISC-03: contains no secret that a setting has from a file', async () => {
    const secret = key();
    const [file, log] = [join(folder, 'signing-key'), join(folder, 'of-file.log')];
    writeFileSync(file, `${secret}\n`);
    writeFileSync(log, `a line with ${secret}`);
    const files = await collect({ EVENT_SIGNING_KEY: '', EVENT_SIGNING_KEY_FILE: file }, [log]);
    expect(files['sparks/settings.json']).toContain('"EVENT_SIGNING_KEY": "[secret]"');
    expect(files['sparks/log-1.txt']).toBe('a line with [redacted]');
  });

  it('MISC-03: contains no value of settings that are not valid, and names their problems', async () => {
    const log = join(folder, 'invalid.log');
    writeFileSync(log, secrets().join('\n'));
    const files = await collect({ EVENT_SIGNING_KEY: 'canary-of-no-key', DATABASE_POOL_MAX: 'many' }, [log]);
    const text = JSON.stringify(files);
    for (const secret of [...secrets().filter((one) => one !== signingKey), 'canary-of-no-key'])
      expect(text).not.toContain(secret);
    expect(text).toMatch(/DATABASE_POOL_MAX must be an integer/);
  });

  it('says why the private port does not answer', async () => {
    const files = await collect({ PRIVATE_PORT: '1' });
    expect(files['sparks/readyz.json']).toMatch(/^no answer: /);
  });

  it('is an archive that tar unpacks', () => {
    const long = 'x'.repeat(1_500);
    writeFileSync(
      join(folder, 'bundle.tar.gz'),
      tarGz({ 'sparks/a.txt': 'short\n', 'sparks/b.txt': long, 'c.txt': '' }),
    );
    execFileSync('tar', ['-xzf', 'bundle.tar.gz'], { cwd: folder });
    expect(readFileSync(join(folder, 'sparks/a.txt'), 'utf8')).toBe('short\n');
    expect(readFileSync(join(folder, 'sparks/b.txt'), 'utf8')).toBe(long);
    expect(readFileSync(join(folder, 'c.txt'), 'utf8')).toBe('');
  });
});
