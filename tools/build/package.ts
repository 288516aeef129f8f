// node tools/build/package.ts client|cli: the package as it is published, in `dist` of its lib. `npm pack` there makes the tarball,
// and `npm publish` publishes it.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installFolder } from './install-files.ts';

const lib = process.argv[2] ?? '';
const tarball = join(installFolder(), `vaultsvc-${lib}.tgz`);
if (!existsSync(tarball)) throw new Error('Usage: node tools/build/package.ts client|cli');

const dist = fileURLToPath(new URL(`../../libs/${lib}/dist`, import.meta.url));
const unpacked = `${dist}.${process.pid}`;
mkdirSync(unpacked, { recursive: true });
try {
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', unpacked]);
  rmSync(dist, { recursive: true, force: true });
  renameSync(unpacked, dist);
} finally {
  rmSync(unpacked, { recursive: true, force: true });
}
