// npm run programs -- FOLDER: the folder of the image for a machine without containers, with the Node that runs it.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { hasNodeModules, installNodeModules } from '../stack/node-modules.ts';
import { workspace } from '../stack/settings.ts';

const [folder] = process.argv.slice(2);
if (!folder || folder.startsWith('-')) {
  process.stderr.write(
    'Usage: npm run programs -- FOLDER\n\nBuilds all programs into FOLDER, which is written anew: run.ts starts them, bin/node runs it.\n',
  );
  process.exit(2);
}

if (!hasNodeModules('all')) {
  process.stdout.write('Installing the packages of package-lock.json (once, about a minute) …\n');
  await installNodeModules('all');
}
const { status } = spawnSync(process.execPath, ['tools/build/run.ts'], { cwd: workspace, stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
// After the installation: it imports packages.
const { layOut } = await import('./layout.ts');
await layOut(resolve(folder));
mkdirSync(join(folder, 'bin'));
copyFileSync(process.execPath, join(folder, 'bin/node'));
chmodSync(join(folder, 'bin/node'), 0o755);
process.stdout.write(
  `The programs are in ${resolve(folder)}; ${join(folder, 'bin/node')} is Node ${process.version}.\n`,
);
