// npm run build:executable [-- FOLDER]: the CLI as programs to hand on, and tries them. For Linux one executable that contains Node;
// for macOS, where an executable must be signed by its publisher, the bundle with a script that starts it. With VAULTSVC_URL and
// VAULTSVC_API_KEY the executable also sends a Spark and reads it.
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { workspace } from '../stack/settings.ts';
import { buildLinuxExecutable, linuxExecutable } from './linux-executable.ts';
import { buildMacosArchive, macosArchive } from './macos-archive.ts';
import { tryProgram } from './try-program.ts';

const folder = resolve(process.argv[2] ?? join(workspace, 'dist/executable'));
rmSync(folder, { recursive: true, force: true });
await buildMacosArchive(folder);
if (process.platform === 'linux') {
  await buildLinuxExecutable(folder);
  tryProgram(join(folder, linuxExecutable));
}

for (const name of [linuxExecutable, macosArchive]) {
  const path = join(folder, name);
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) continue;
  const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
  console.log(`${hash}  ${path} (${Math.round(size / 1e6)} MB)`);
}
