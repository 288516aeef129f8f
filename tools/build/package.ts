// node tools/build/package.ts client|cli: the package as it is published, in `dist` of its lib. `npm pack` there makes the tarball,
// and `npm publish` publishes it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { installFiles } from './install-files.ts';

const lib = process.argv[2] ?? '';
const tarball = installFiles()[`vaultsvc-${lib}.tgz`];
if (tarball === undefined) throw new Error('Usage: node tools/build/package.ts client|cli');

const dist = fileURLToPath(new URL(`../../libs/${lib}/dist`, import.meta.url));
const unpacked = `${dist}.${process.pid}`;
mkdirSync(unpacked, { recursive: true });
try {
  const input = Buffer.from(tarball, 'base64');
  execFileSync('tar', ['-xz', '--strip-components=1', '-C', unpacked], { input });
  rmSync(dist, { recursive: true, force: true });
  renameSync(unpacked, dist);
} finally {
  rmSync(unpacked, { recursive: true, force: true });
}
