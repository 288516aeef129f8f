import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const SERVICES = ['gateway', 'auth', 'sparks', 'vaults', 'forge', 'notify', 'integrations', 'reporting'];
const folder = mkdtempSync(join(tmpdir(), 'vaultsvc-one-host-'));
const read = (...path: string[]) => readFileSync(join(folder, ...path), 'utf8');

/** The servers' users come with their packages; root stands in for the user of the services. */
function provision(...args: string[]) {
  const command = ['tools/run.cjs', 'tools/provision/run.ts', 'installation', '--out', folder, ...args];
  return spawnSync(process.execPath, command, { encoding: 'utf8' });
}

function settingsOf(text: string): Record<string, string> {
  const lines = text.trimEnd().split('\n');
  return Object.fromEntries(lines.map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]));
}

let settings: Record<string, string>;
let first: string;
beforeAll(() => {
  const { status, stderr } = provision('--domain', 'example.test', '--user', 'root', '--nats-release', '2.9');
  if (status !== 0) throw new Error(stderr);
  settings = settingsOf(read('all.env'));
  first = read('installation', 'secrets.json');
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('MISC-01 ENV-01: an installation on one machine without containers', () => {
  it('has the settings of the production profile for the process of all services, and no secret among them', () => {
    expect(settings).toMatchObject({
      PROFILE: 'production',
      NODE_EXTRA_CA_CERTS: join(folder, 'gateway/ca.crt'),
      NATS_URL: 'tls://localhost:4223',
      API_ORIGIN: 'https://api.example.test',
      FORGE_ORIGIN: 'https://forge.example.test',
      TRUSTED_PROXIES: '127.0.0.1',
      KMS_PROVIDER: 'file',
      VAULTS_KMS_KEY_ID: 'vk-system',
      FORGE_OBJECTS_DIR: join(folder, 'objects/files'),
      REPORTING_OBJECTS_DIR: join(folder, 'objects/audit-log'),
    });
    const secret = /PASSWORD|SEED|_KEYS?$|_URL$/;
    const inClear = Object.keys(settings).filter((name) => secret.test(name) && !name.endsWith('_FILE'));
    expect(inClear).toEqual(['NATS_URL']); // which holds none
  });

  it('names a file for each secret, which its user alone can read', () => {
    const files = Object.entries(settings).filter(
      ([name]) => name.endsWith('_FILE') && !name.startsWith('KMS_'),
    );
    const services = new Set(files.map(([name]) => name.split('_', 1)[0]?.toLowerCase()));
    expect([...services].sort()).toEqual(SERVICES.toSorted());
    for (const [, path] of files) expect([path, statSync(path).mode & 0o777]).toEqual([path, 0o600]);
    for (const name of ['installation', ...SERVICES, 'postgres', 'redis', 'nats', 'kms'])
      expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o700]);
  });

  it('gives the migrations the owners of tables, and the services the other roles', () => {
    expect(Object.keys(settingsOf(read('owner.env'))).filter((name) => name.endsWith('_FILE'))).toHaveLength(
      7,
    );
    expect(read('sparks-owner', 'DATABASE_URL')).toMatch(
      /^postgres:\/\/sparks_owner:[\w-]+@localhost:5433\/vaultsvc\?sslmode=verify-full$/,
    );
    expect(read('sparks', 'DATABASE_URL')).toMatch(/^postgres:\/\/sparks:[\w-]+@localhost:5433\//);
    expect(readdirSync(join(folder, 'sparks-owner')).sort()).toEqual(['DATABASE_URL', 'ca.crt']);
  });

  it('configures each server with TLS on loopback', () => {
    expect(read('postgres', 'postgresql.conf')).toContain("listen_addresses = '127.0.0.1'\nport = 5433\n");
    expect(read('postgres', 'postgresql.conf')).toContain('\nssl = on\n');
    expect(read('redis', 'redis.conf')).toContain('bind 127.0.0.1\nport 0\ntls-port 6380\n');
    expect(read('nats', 'nats.conf')).toContain('listen: "127.0.0.1:4223"');
    expect(read('nats', 'nats.conf')).not.toContain('sync_interval'); // NATS 2.9 refuses it
  });

  it('keeps all secrets in a second run', () => {
    expect(provision('--domain', 'example.test', '--user', 'root')).toMatchObject({ status: 0 });
    expect(read('installation', 'secrets.json')).toBe(first);
    expect(read('nats', 'nats.conf')).toContain('sync_interval: always');
  });

  it('says how to make a user that does not exist', () => {
    expect(provision('--domain', 'example.test', '--user', 'nobody-here')).toMatchObject({
      status: 1,
      stderr: 'There is no user nobody-here: useradd --system nobody-here\n',
    });
  });
});
