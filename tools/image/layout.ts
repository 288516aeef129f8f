// node tools/image/layout.ts FOLDER: the folder of the image, from the built services: their programs, `provision`, and the licences of
// all packages in them. The Dockerfile and the test of the image make it by this program.
import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packagesFile, packagesOf } from '../build/bundled-packages.ts';
import { licencesOf } from '../build/licences.ts';
import { topologyFile } from '../provision/topology.ts';
import { allServices, services, workspace } from '../stack/settings.ts';
import { buildProvision } from './provision-bundle.ts';

/** The files of the image besides programs: its entry point, and what it says of itself. */
const texts: Readonly<Record<string, string>> = {
  'run.ts': 'docker/run.ts',
  LICENSE: 'LICENSE',
  [topologyFile]: topologyFile,
};

/** No program, but files of the gateway. */
const webApplication = 'web';

const programFolders = [...services, allServices];

/**
 * Writes the folder anew.
 * @throws when a service is not built
 */
export async function layOut(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  for (const name of programFolders)
    copyPrograms(join(workspace, 'apps', name, 'dist'), join(folder, name, 'dist'));
  // Two levels deep, as its source is: it finds the topology from there.
  const packages = await buildProvision(join(folder, 'provision/dist'));
  for (const [name, source] of Object.entries(texts)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    copyFileSync(join(workspace, source), join(folder, name));
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}\n');
  copyWeb(join(folder, 'web/dist'));
  const bundled = [...programFolders, webApplication].flatMap((name) =>
    packagesOf(join(workspace, 'apps', name, 'dist')),
  );
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), licencesOf([...bundled, ...packages]));
  makeReadable(folder);
}

function copyPrograms(dist: string, target: string) {
  mkdirSync(target, { recursive: true });
  const programs = readdirSync(dist).filter((name) => name.endsWith('.js') || name === packagesFile);
  for (const name of programs) copyFileSync(join(dist, name), join(target, name));
  // The packages of client and command line, which the gateway serves.
  if (readdirSync(dist).includes('install'))
    cpSync(join(dist, 'install'), join(target, 'install'), { recursive: true });
}

/** The files of the web application, where the gateway looks for them. */
function copyWeb(target: string) {
  cpSync(join(workspace, 'apps', webApplication, 'dist'), target, { recursive: true });
}

/** Whoever builds may have a narrow umask; the user of the container is another one. */
function makeReadable(folder: string) {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [folder] = process.argv.slice(2);
  if (!folder) throw new Error('Usage: node tools/image/layout.ts FOLDER');
  await layOut(resolve(folder));
}
