import { readdirSync, readFileSync, rmSync, mkdtempSync, statSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { environmentOf, loadServiceConfig, settingsOf, unknownSettingsOfAll } from '@vaultsvc/config';
import { parse } from 'yaml';
import { AuthConfig } from '../../apps/auth/src/config.js';
import { ForgeConfig } from '../../apps/forge/src/config.js';
import { GatewayConfig } from '../../apps/gateway/src/config.js';
import { IntegrationsConfig } from '../../apps/integrations/src/config.js';
import { NotifyConfig } from '../../apps/notify/src/config.js';
import { ReportingConfig } from '../../apps/reporting/src/config.js';
import { SparksConfig } from '../../apps/sparks/src/config.js';
import { VaultsConfig } from '../../apps/vaults/src/config.js';
import { services, statefulServices, workspace } from '../stack/settings.ts';

const configs: Readonly<Record<string, new () => object>> = {
  auth: AuthConfig,
  forge: ForgeConfig,
  gateway: GatewayConfig,
  integrations: IntegrationsConfig,
  notify: NotifyConfig,
  reporting: ReportingConfig,
  sparks: SparksConfig,
  vaults: VaultsConfig,
};
const configOf = (service: string) => configs[service] ?? class {};

interface Container {
  command?: string[];
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  environment?: Record<string, string>;
  volumes?: (string | { source: string; target: string; volume?: { subpath: string } })[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: object;
  networks?: string[] | Record<string, unknown>;
}

const folder = join(workspace, 'deploy/compose');
const exampleFile = readFileSync(join(folder, '.env.example'), 'utf8');
const example = Object.fromEntries(
  [...exampleFile.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
);
const source = readFileSync(join(folder, 'compose.yaml'), 'utf8');

/** As Compose does: `${NAME:-default}`, `${NAME:?}` and `$$`. */
function interpolated(text: string): string {
  return text.replaceAll(
    /\$\$|\$\{([A-Z_]+)(?::-([^}]*)|:\?)?\}/g,
    (all, name: string, fallback?: string) => {
      if (all === '$$') return '$';
      const value = example[name] || fallback;
      if (value === undefined || value === '') {
        if (fallback === undefined) throw new Error(`${name} is required`);
      }
      return value ?? '';
    },
  );
}

const compose = parse(interpolated(source), { merge: true, maxAliasCount: -1 }) as {
  services: Record<string, Container>;
};
function schemaOfCompose() {
  const path = join(workspace, 'node_modules/dclint/schemas/compose.schema.json');
  // It names draft 7 by https, which Ajv knows by http alone.
  const { $schema: _, ...schema } = JSON.parse(readFileSync(path, 'utf8'));
  return new Ajv({ strict: false, validateFormats: false }).compile(schema);
}

const container = (name: string): Container => {
  const found = compose.services[name];
  if (!found) throw new Error(`compose.yaml has no service ${name}`);
  return found;
};
/** The folder of the secrets that a container sees. */
const subpathOf = (name: string) =>
  container(name).volumes?.flatMap(
    (volume) => (typeof volume === 'object' ? volume.volume?.subpath : []) ?? [],
  );

const scratch = mkdtempSync(join(tmpdir(), 'vaultsvc-compose-'));
const provision = () =>
  execFileSync(process.execPath, [join(workspace, 'tools/provision/installation.ts'), '--out', scratch]);
beforeAll(() => void provision());
afterAll(() => rmSync(scratch, { recursive: true }));

describe('compose.yaml', () => {
  it('is valid by the schema of the Compose specification', () => {
    const validate = schemaOfCompose();
    validate(compose);
    expect(validate.errors).toBeNull();
  });

  it('runs every service with PROFILE=production, hardened, behind its own migrations', () => {
    for (const name of services) {
      expect([name, container(name)]).toEqual([
        name,
        expect.objectContaining({ command: [name], read_only: true, cap_drop: ['ALL'] }),
      ]);
      expect(container(name).environment).toMatchObject({ PROFILE: 'production' });
      expect(container(name).healthcheck).toBeDefined();
    }
    for (const name of statefulServices) {
      expect(container(`${name}-migrate`).command).toEqual([name, 'migrate']);
      expect(container(name).depends_on).toMatchObject({
        [`${name}-migrate`]: { condition: 'service_completed_successfully' },
        postgres: { condition: 'service_healthy' },
      });
    }
  });

  it('waits for containers that exist: for health of those with a check, for the end of those that end', () => {
    for (const [name, { depends_on: needed = {} }] of Object.entries(compose.services))
      for (const [other, { condition }] of Object.entries(needed)) {
        const expected = container(other).healthcheck ? 'service_healthy' : 'service_completed_successfully';
        expect([name, other, condition]).toEqual([name, other, expected]);
      }
  });

  it('shows a container the secrets of its own service alone, and a migration those of the owner', () => {
    for (const name of services) expect(subpathOf(name)).toEqual([name]);
    for (const name of statefulServices) expect(subpathOf(`${name}-migrate`)).toEqual([`${name}-owner`]);
  });

  it('makes a key file for each service that encrypts, where that service reads it', () => {
    const encrypting = services.filter((name) => container(name).environment?.['KMS_PROVIDER'] === 'file');
    expect(encrypting).toEqual(['auth', 'sparks', 'vaults', 'notify', 'integrations']);
    for (const name of encrypting) {
      const {
        KMS_KEYS_FILE: file,
        KMS_PASSPHRASE_FILE: passphrase,
        KMS_KEY_ID: key,
      } = container(name).environment ?? {};
      expect(subpathOf(`${name}-keys`)).toEqual([name]);
      expect(container(`${name}-keys`).command).toEqual([
        'provision',
        'kms-keys',
        '--file',
        file,
        '--passphrase-file',
        passphrase,
        '--key',
        key,
      ]);
      expect(container(name).depends_on).toHaveProperty(`${name}-keys`);
    }
    expect(container('vaults').environment).toMatchObject({ KMS_KEY_ID: 'vk-system' });
  });

  it.each(services)('gives %s settings that it knows, from files that are provisioned', (name) => {
    const known = settingsOf(configOf(name)).map((setting) => setting.name);
    // NODE_EXTRA_CA_CERTS is of Node.
    const given = Object.keys(container(name).environment ?? {}).filter((key) => !key.startsWith('NODE_'));
    expect(given.filter((key) => !known.includes(key) && !known.includes(key.replace(/_FILE$/, '')))).toEqual(
      [],
    );
    const secrets = readdirSync(join(scratch, name)).filter((file) => /^[A-Z]/.test(file));
    expect(secrets.filter((file) => !given.includes(`${file}_FILE`))).toEqual([]);
  });

  it.each(services)('gives %s all settings that it needs in production', (name) => {
    const environment = Object.fromEntries(
      Object.entries(container(name).environment ?? {}).map(([key, value]) => {
        const [, file] = /^\/run\/vaultsvc\/([A-Z_0-9]+)$/.exec(value) ?? [];
        if (file === undefined) return [key, value];
        return [key.replace(/_FILE$/, ''), readFileSync(join(scratch, name, file), 'utf8')];
      }),
    );
    expect(() => loadServiceConfig(name, configOf(name), environment)).not.toThrow();
  });
});

describe('compose.one.yaml', () => {
  const text = interpolated(readFileSync(join(folder, 'compose.one.yaml'), 'utf8'));
  // `!override` is a tag of Compose (2.24.4): the value replaces that of the first file.
  const customTags = [{ tag: '!override', collection: 'map' as const }];
  const one = parse(text, { customTags }) as {
    services: Record<string, Container & { profiles?: string[] }>;
  };
  const all = one.services['all'];

  it('is valid by the schema of the Compose specification', () => {
    const validate = schemaOfCompose();
    validate(one);
    expect(validate.errors).toBeNull();
  });

  it('starts one container in the place of the eight, which the proxy finds under their names', () => {
    for (const name of services) expect(one.services[name]).toEqual({ profiles: ['services'] });
    expect(all).toMatchObject({
      command: ['all'],
      read_only: true,
      cap_drop: ['ALL'],
      networks: { inside: { aliases: ['gateway', 'forge'] } },
    });
    expect(one.services['proxy']).toEqual({ depends_on: { all: { condition: 'service_healthy' } } });
  });

  it('waits for all that the services of compose.yaml wait for', () => {
    const needed = services.map((name) => container(name).depends_on ?? {});
    expect(all?.depends_on).toEqual(Object.assign({}, ...needed));
  });

  it.each(services)('gives %s the settings of compose.yaml, and the secrets of its own folder', (name) => {
    const given = environmentOf(name, all?.environment ?? {});
    const { NODE_EXTRA_CA_CERTS: _, ...expected } = container(name).environment ?? {};
    for (const [setting, value] of Object.entries(expected))
      // Without a value in .env it is null.
      expect([setting, given[setting] ?? null]).toEqual([
        setting,
        value?.replace(/^\/run\/vaultsvc\//, `/run/vaultsvc/${name}/`) ?? null,
      ]);
    expect(all?.volumes).toContainEqual(
      expect.objectContaining({
        target: `/run/vaultsvc/${name}`,
        read_only: true,
        volume: { subpath: name },
      }),
    );
  });

  it('has no setting that no service reads', () => {
    expect(unknownSettingsOfAll(all?.environment ?? {})).toEqual([]);
  });
});

describe('the secrets of an installation', () => {
  const read = (path: string) => readFileSync(join(scratch, path), 'utf8');

  it('are for their owner alone, and stay when a release provisions again', () => {
    const before = [read('sparks/DATABASE_URL'), read('gateway/CURSOR_KEY'), read('installation/ca.crt')];
    provision();
    expect([read('sparks/DATABASE_URL'), read('gateway/CURSOR_KEY'), read('installation/ca.crt')]).toEqual(
      before,
    );
    const files = readdirSync(scratch, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    for (const { parentPath, name } of files.filter(({ name }) => name !== 'ca.crt'))
      expect([name, statSync(join(parentPath, name)).mode & 0o777]).toEqual([name, 0o600]);
  });

  it('of one service are in the folder of no other one', () => {
    const own = new Set(['ca.crt', 'CALL_KEYS', 'EVENT_KEYS', 'CREDENTIAL_RECORD_KEY', 'POOL_SNAPSHOT_KEY']);
    const seen = new Map<string, string>();
    for (const name of [...services, ...statefulServices.map((service) => `${service}-owner`)])
      for (const file of readdirSync(join(scratch, name)).filter((entry) => !own.has(entry))) {
        const text = read(`${name}/${file}`);
        expect([name, file, seen.get(text)]).toEqual([name, file, undefined]);
        seen.set(text, `${name}/${file}`);
      }
  });

  it('have certificates of the authority, for the names of the servers in the network', () => {
    for (const name of ['postgres', 'redis', 'nats', 'objects', 'mail']) {
      const args = [
        'verify',
        '-CAfile',
        join(scratch, name, 'ca.crt'),
        '-verify_hostname',
        name,
        '-purpose',
        'sslserver',
      ];
      const output = execFileSync('openssl', [...args, join(scratch, name, 'server.crt')], {
        encoding: 'utf8',
      });
      expect(output).toMatch(/: OK\n$/);
    }
  });
});
