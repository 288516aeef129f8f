// node tools/build/install-files.ts [FOLDER]: the files that people install from a deployment, in the folder from which a gateway serves
// them: the command line as one file and as a package, and the client as a package. They are made once for a state of the sources.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { installInputs } from './inputs.ts';

const workspace = fileURLToPath(new URL('../..', import.meta.url));
const cache = join(workspace, '.cache/install');
const DAY_MS = 86_400_000;

/** Beside the files: of which sources they are. */
const stampFile = 'inputs.sha256';

/** The program that makes them and puts them into the folder of its argument. */
export const installFilesProgram = fileURLToPath(import.meta.url);

/** The folder with the files of the current sources. A child process makes them, because a test must not wait for promises. */
export function installFolder(): string {
  const folder = join(cache, installInputs());
  if (!existsSync(folder)) {
    const { status, stderr } = spawnSync(process.execPath, [installFilesProgram], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`The packages cannot be made:\n${stderr}`);
  }
  return folder;
}

/** Whether a folder has the files of the current sources. */
export function areInstallFilesCurrent(folder: string): boolean {
  const stamp = join(folder, stampFile);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === installInputs();
}

/** Puts the files of the current sources into a folder, at once: a gateway may read it. */
async function putInstallFiles(folder: string) {
  if (areInstallFilesCurrent(folder)) return;
  const made = await ensureInstallFiles();
  const next = `${folder}.${process.pid}`;
  await cp(made, next, { recursive: true });
  await rm(folder, { recursive: true, force: true });
  await rename(next, folder);
}

/**
 * Makes the files, unless they are those of the current sources.
 * @returns their folder
 */
async function ensureInstallFiles(): Promise<string> {
  const inputs = installInputs();
  const folder = join(cache, inputs);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const next = await mkdtemp(join(cache, 'making-'));
  try {
    await makeInstallFiles(next);
    await writeFile(join(next, stampFile), inputs);
    // The user of a container who reads them is another than the one who made them.
    await chmod(next, 0o755);
    // By a rename: another command may make them at the same time, of the same sources.
    await rename(next, folder).catch((error) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(next, { recursive: true, force: true });
  }
  await removeOld();
  return folder;
}

async function makeInstallFiles(folder: string) {
  const [{ buildClient }, { buildCliPackage, cliBundle }, { pack }] = await Promise.all([
    import('./client.ts'),
    import('./cli-package.ts'),
    import('./pack.ts'),
  ]);
  const packages = await mkdtemp(join(tmpdir(), 'vaultsvc-packages-'));
  const [client, cli] = [join(packages, 'client'), join(packages, 'cli')];
  try {
    await Promise.all([buildClient(client), buildCliPackage(cli)]);
    await Promise.all([
      cp(join(cli, cliBundle), join(folder, 'vaultsvc.mjs')),
      pack(cli).then((tarball) => writeFile(join(folder, 'vaultsvc-cli.tgz'), tarball)),
      pack(client).then((tarball) => writeFile(join(folder, 'vaultsvc-client.tgz'), tarball)),
    ]);
  } finally {
    await rm(packages, { recursive: true });
  }
}

/** Removes what earlier sources have left; a command that runs may use those of the last hours. */
async function removeOld() {
  const old = readdirSync(cache)
    .map((name) => join(cache, name))
    .filter((path) => statSync(path).mtimeMs < Date.now() - DAY_MS);
  await Promise.all(old.map((path) => rm(path, { recursive: true, force: true })));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  // The modes of files are a part of the tarballs.
  process.umask(0o022);
  const [folder] = process.argv.slice(2);
  await (folder ? putInstallFiles(folder) : ensureInstallFiles());
}
