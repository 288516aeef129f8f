// npm run image: builds docker/Dockerfile with Debian's buildah on a base made by debootstrap, and tries the image. As root on Debian.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sourceVersion } from '../build/build-constants.ts';
import { git } from '../release/releases.ts';
import { canInstallPackages, installPackages } from '../stack/servers/install.ts';
import { allServices, services } from '../stack/settings.ts';
import { makeBase } from './base.ts';
import { buildah, command } from './buildah.ts';

const base = 'localhost/vaultsvc-base:24';
const image = `localhost/vaultsvc:${sourceVersion}`;
const scratch = mkdtempSync(join(tmpdir(), 'vaultsvc-base-'));

/** In `buildah inspect`. */
interface Inspected {
  OCIv1: {
    config: {
      User: string;
      ExposedPorts: Record<string, object>;
      Env: string[];
      Entrypoint: string[];
      Labels: Record<string, string>;
    };
  };
}

function expectEqual(what: string, found: unknown, expected: unknown) {
  const [one, other] = [found, expected].map((value) => JSON.stringify(value));
  if (one !== other) throw new Error(`${what} is ${one} instead of ${other}`);
  process.stdout.write(`  ${what}: ${one}\n`);
}

function build(revision: string) {
  const values = [`NODE_IMAGE=${base}`, `VAULTSVC_REVISION=${revision}`, `VAULTSVC_VERSION=${sourceVersion}`];
  const args = values.flatMap((value) => ['--build-arg', value]);
  buildah(['build', '--file', 'docker/Dockerfile', ...args, ...registryOfThisMachine(), '--tag', image, '.']);
}

/** How this machine reaches packages is mounted for the build, and no part of the image. */
function registryOfThisMachine(): string[] {
  const npm = (name: string, ...options: string[]) =>
    command('npm', ['config', 'get', name, ...options]).trim();
  const registry = npm('registry');
  const ordinary = npm('registry', '--userconfig=/dev/null', `--globalconfig=${join(scratch, 'none')}`);
  // Node on PATH decides which global configuration npm reads.
  const authority = [npm('cafile'), process.env['NODE_EXTRA_CA_CERTS'] ?? ''].find((path) =>
    existsSync(path),
  );
  const lines = [
    ...(registry === ordinary ? [] : [`registry=${registry}`]),
    ...(authority ? [`cafile=${authority}`] : []),
  ];
  const file = join(scratch, 'npmrc');
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  const files = { '/usr/local/etc/npmrc': file, ...(authority && { [authority]: authority }) };
  return Object.entries(files).flatMap(([target, path]) => ['--volume', `${path}:${target}:ro`]);
}

function checkConfiguration(revision: string) {
  const { config } = (JSON.parse(buildah(['inspect', '--type', 'image', image])) as Inspected).OCIv1;
  expectEqual('user', config.User, '1000:1000');
  expectEqual(
    'ports',
    Object.keys(config.ExposedPorts).sort(),
    [8080, 8081, 8082, 8083, 9100].map((port) => `${port}/tcp`),
  );
  expectEqual('entry point', config.Entrypoint, ['node', '/app/run.ts']);
  expectEqual('version', config.Labels['org.opencontainers.image.version'], sourceVersion);
  expectEqual('revision', config.Labels['org.opencontainers.image.revision'], revision);
}

/** Runs programs as the user of the image, with the file system of the image mounted read-only. */
function tryPrograms() {
  const container = buildah(['from', image]).trim();
  try {
    const root = buildah(['mount', container]).trim();
    const run = (args: string) =>
      `chroot --userspec=1000:1000 "$1" /usr/local/bin/node --disable-proto=delete /app/run.ts ${args}`;
    const script = [
      'set -e; mount --bind "$1" "$1"; mount -o remount,bind,ro "$1"',
      'if touch "$1/app/x" 2>/dev/null; then echo "the file system is not read-only"; exit 1; fi',
      `${run('sparks nothing')} 2>&1 || test $? -eq 2`,
      ...[...services, allServices].map(
        (name) => `${run(name)} 2>&1 | grep -q "${name} cannot start. The configuration is not valid"`,
      ),
      `${run('sparks migrate')} 2>&1 | grep -q "DATABASE_URL is missing"`,
      `${run('provision --help')} | grep -q "^Usage"`,
    ].join('\n');
    command('unshare', ['--mount', 'sh', '-c', script, 'sh', root]);
    process.stdout.write('  programs of every service run as 1000 on a read-only file system\n');
    process.stdout.write(command('du', ['-sh', join(root, 'app')]));
  } finally {
    buildah(['rm', container]);
  }
}

if (canInstallPackages()) await installPackages(['buildah', 'debootstrap', 'crun']);
try {
  const revision = git('rev-parse', 'HEAD');
  process.stdout.write(`Base ${base}\n`);
  makeBase(base, scratch);
  process.stdout.write(`Image ${image}\n`);
  build(revision);
  checkConfiguration(revision);
  tryPrograms();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
