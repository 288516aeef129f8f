import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findNode, installNode } from '../node/releases.cjs';
import { buildah, command } from './buildah.ts';

/** As the official image of Node: Debian 12, Node 24 with npm, and the user `node`. */
const release = '24';
const suite = 'bookworm';

/**
 * Makes an image with what docker/Dockerfile expects of its base, where no registry of images can be reached: Debian by debootstrap,
 * Node from the package registry.
 * @param scratch an empty folder
 */
export function makeBase(name: string, scratch: string): void {
  const root = join(scratch, 'root');
  command('debootstrap', ['--variant=minbase', '--include=ca-certificates', suite, root]);
  const node = findNode(release) ?? installNode(release);
  const local = join(root, 'usr/local');
  cpSync(node, join(local, 'bin/node'));
  installNpm(local);
  execFileSync('chroot', [root, 'useradd', '--uid', '1000', '--user-group', '--create-home', 'node']);
  const container = buildah(['from', 'scratch']).trim();
  buildah(['add', container, root, '/']);
  buildah([
    'config',
    '--env',
    'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    container,
  ]);
  buildah(['commit', '--rm', container, name]);
  rmSync(root, { recursive: true });
}

/** npm of this machine, which the package of Node does not contain. */
function installNpm(local: string) {
  const npm = dirname(dirname(execFileSync('readlink', ['-f', which('npm')], { encoding: 'utf8' }).trim()));
  const target = join(local, 'lib/node_modules/npm');
  mkdirSync(dirname(target), { recursive: true });
  cpSync(npm, target, { recursive: true });
  for (const name of ['npm', 'npx'])
    execFileSync('ln', ['-s', `../lib/node_modules/npm/bin/${name}-cli.js`, join(local, 'bin', name)]);
}

function which(name: string) {
  return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
}
