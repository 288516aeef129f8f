import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startPostgres, type TestServer } from '@vaultsvc/testing/servers';
import { allServices, services, workspace } from '../stack/settings.ts';

const MEGABYTE = 1_000_000;

/** Nobody's: in the image the user is another one than the owner of the programs, too. */
const STRANGER = 65_534;

const scratch = mkdtempSync(join(tmpdir(), 'vaultsvc-image-'));
const folder = join(scratch, 'app');
/** A copy: the folders above this Node may be closed to others. */
const node = join(scratch, 'node');
let postgres: TestServer;

beforeAll(async () => {
  const tool = (path: string, ...args: string[]) => {
    const { status, stderr } = spawnSync(process.execPath, [join(workspace, path), ...args], {
      cwd: workspace,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
  };
  tool('tools/build/app.ts', ...[...services, allServices].map((name) => `apps/${name}`));
  tool('tools/build/web.ts', 'apps/web/dist');
  tool('tools/image/layout.ts', folder);
  spawnSync('chmod', ['-R', 'a-w', folder]);
  spawnSync('chmod', ['0755', scratch]);
  copyFileSync(process.execPath, node);
  postgres = await startPostgres();
}, 300_000);
afterAll(async () => {
  spawnSync('chmod', ['-R', 'u+w', folder]);
  rmSync(scratch, { recursive: true });
  await postgres.stop();
});

/** Runs a program as the image does, as another user where this one may, who can write nowhere in its folder. */
function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const options = { cwd: folder, encoding: 'utf8', timeout: 60_000 } as const;
  const user = process.getuid?.() === 0 ? { uid: STRANGER, gid: STRANGER } : {};
  const flags = ['--max-semi-space-size=8', '--disable-proto=delete'];
  return spawnSync(node, [...flags, join(folder, 'run.ts'), ...args], {
    ...options,
    ...user,
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...env },
  });
}

/** Where the user of the programs may write. */
function openFolder(name: string): string {
  const path = join(scratch, name);
  mkdirSync(path);
  spawnSync('chmod', ['0777', path]);
  return path;
}

function bytesIn(path: string): number {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

describe('the folder of the image', () => {
  it.each([...services, allServices])('has less than 25 MB of %s', (service) => {
    expect(bytesIn(join(folder, service))).toBeLessThan(25 * MEGABYTE);
  });

  it('names its programs to somebody who asks for another one', () => {
    const { status, stderr } = run(['sparks', 'migrat']);
    expect(status).toBe(2);
    expect(stderr).toContain('auth [bootstrap | ');
    for (const service of [...services, allServices, 'provision']) expect(stderr).toMatch(`  ${service} [`);
    expect(run(['../sparks', 'migrate']).status).toBe(2);
    expect(run([]).status).toBe(2);
  });

  it.each(services.filter((name) => name !== 'gateway'))('has the migrations of %s', (service) => {
    expect(readdirSync(join(folder, service, 'dist'))).toContain('migrate.js');
  });

  it('provisions an installation, whose roles migrate with the settings of the database alone', () => {
    const out = openFolder('installation');
    const provisioned = run(['provision', 'installation', '--out', out]);
    expect([provisioned.stderr, provisioned.status]).toEqual(['', 0]);
    const script = ['--quiet', '--no-psqlrc', `--file=${out}/postgres/roles.sql`, postgres.url];
    // Twice: a later release adds roles to what is there.
    for (let i = 0; i < 2; i++) {
      const { status, stderr } = spawnSync('psql', script, { encoding: 'utf8' });
      expect([stderr.match(/ERROR.*/g), status]).toEqual([null, 0]);
    }
    for (const service of ['sparks', 'vaults']) {
      const url = new URL(readFileSync(join(out, `${service}-owner/DATABASE_URL`), 'utf8'));
      [url.host, url.search] = [new URL(postgres.url).host, ''];
      const migrated = run([service, 'migrate'], { PROFILE: 'local', DATABASE_URL: url.href });
      expect([migrated.stderr, migrated.status]).toEqual(['', 0]);
      expect(migrated.stdout).toMatch(new RegExp(`^${service}: [1-9]\\d* migrations applied\n`));
    }
  });

  it('migrates all services by one command, each with its own settings', () => {
    const out = openFolder('one');
    expect(run(['provision', 'installation', '--out', out]).status).toBe(0);
    const script = ['--quiet', '--no-psqlrc', `--file=${out}/postgres/roles.sql`, postgres.url];
    expect(spawnSync('psql', script).status).toBe(0);
    const stateful = services.filter((name) => name !== 'gateway');
    const urls = stateful.map((service) => {
      const url = new URL(readFileSync(join(out, `${service}-owner/DATABASE_URL`), 'utf8'));
      [url.host, url.search] = [new URL(postgres.url).host, ''];
      return [`${service.toUpperCase()}_DATABASE_URL`, url.href];
    });
    const migrated = run(['all', 'migrate'], { PROFILE: 'local', ...Object.fromEntries(urls) });
    expect([migrated.stderr, migrated.status]).toEqual(['', 0]);
    for (const service of stateful)
      expect(migrated.stdout).toMatch(new RegExp(`^${service}: \\d+ migr`, 'm'));
    const one = run(['all', 'migrate', 'sparks'], { PROFILE: 'local', ...Object.fromEntries(urls) });
    expect(one.stdout).toMatch(/^sparks: 0 migrations applied\n/);
    expect(one.stdout).not.toMatch(/^(?!sparks:|\w+\.sparks:)./m);
    expect(run(['all', 'support-bundle']).status).toBe(2);
  });

  it('refuses a migration without TLS in production, and names no other setting', () => {
    const { status, stderr } = run(['sparks', 'migrate'], { DATABASE_URL: 'postgres://a:b@db/vaultsvc' });
    expect(status).toBe(1);
    expect(stderr).toContain('DATABASE_URL must have sslmode=verify-full');
    expect(stderr.match(/^ {2}[A-Z_]+ /gm)).toEqual(['  DATABASE_URL ']);
  });

  it('provisions keys without a checkout', () => {
    const out = openFolder('provisioned');
    const { status, stderr } = run([
      'provision',
      '--keys',
      join(out, 'keys.json'),
      '--out',
      join(out, 'services'),
    ]);
    expect([stderr, status]).toEqual(['', 0]);
    const written = readdirSync(join(out, 'services')).sort();
    const servers = ['administrator', 'nats.conf', 'nats-users.conf', 'redis.acl'];
    expect(written).toEqual([...services.map((name) => `${name}.env`), ...servers].sort());
    expect(readFileSync(join(out, 'services/sparks.env'), 'utf8')).toMatch(
      /^NATS_NKEY_SEED=SU[A-Z0-9]{56}$/m,
    );
  });

  it('OPEN-45: makes the root keys of a service in a file, and keeps them', () => {
    const out = openFolder('root-keys');
    const [file, passphrase] = [join(out, 'kms-keys.json'), join(out, 'kms-passphrase')];
    const args = [
      'provision',
      'kms-keys',
      '--file',
      file,
      '--passphrase-file',
      passphrase,
      '--key',
      'vk-root',
    ];
    const made = run(args);
    expect([made.stderr, made.stdout, made.status]).toEqual(['', `${file}: vk-root (versions: 1)\n`, 0]);
    const before = readFileSync(file, 'utf8');
    expect(run(args).status).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('has the licences of its packages, and names packages of services', () => {
    const texts = readFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const name of ['@nestjs/core', 'pg', 'typeorm', '@nats-io/nkeys', '@redis/client'])
      expect(texts).toMatch(new RegExp(`^## (@redis/client|${name}) \\d`, 'm'));
    expect(texts).not.toMatch(/^## (jest|esbuild|typescript) /m);
  });
});

describe('docker/Dockerfile', () => {
  const text = readFileSync(join(workspace, 'docker/Dockerfile'), 'utf8');
  const { description, license, homepage, repository } = JSON.parse(
    readFileSync(join(workspace, 'package.json'), 'utf8'),
  );

  it('says what package.json says of itself, and the version and commit of the build', () => {
    const label = (name: string) =>
      new RegExp(`org\\.opencontainers\\.image\\.${name}="([^"]*)"`).exec(text)?.[1];
    expect([label('description'), label('licenses'), label('url')]).toEqual([description, license, homepage]);
    expect(`git+${label('source')}.git`).toBe(repository.url);
    expect([label('version'), label('revision')]).toEqual(['${VAULTSVC_VERSION}', '${VAULTSVC_REVISION}']);
  });

  it('runs as a user by number, exposes every port and listens on all addresses of the container', () => {
    const last = text.slice(text.lastIndexOf('\nFROM '));
    expect(last).toMatch(/^USER 1000:1000$/m);
    expect(last).toMatch(/^EXPOSE 8080 8081 8082 8083 9100$/m);
    expect(last).toMatch(/HTTP_HOST=0\.0\.0\.0 PRIVATE_HOST=0\.0\.0\.0/);
  });
});
