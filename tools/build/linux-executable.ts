import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findNode, installNode } from '../node/releases.cjs';
import { workspace } from '../stack/settings.ts';
import { buildCli } from './cli.ts';
import { licencesOf } from './licences.ts';

export const linuxExecutable = `vaultsvc-linux-${process.arch}`;

/** The Node in the executable: the tools run on it, too. */
const release = '24';

/** Node looks for this text in its own file, behind which the script is announced. */
const sentinelFuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

const execute = promisify(execFile);

/** Writes a Node that contains the CLI, its "single executable application", and the licences of the packages in it. */
export async function buildLinuxExecutable(folder: string): Promise<void> {
  const node = findNode(release) ?? installNode(release);
  const scratch = await mkdtemp(join(tmpdir(), 'vaultsvc-executable-'));
  const path = join(folder, linuxExecutable);
  try {
    await mkdir(folder, { recursive: true });
    const [{ included, blob }] = await Promise.all([preparedBlob(node, scratch), copyFile(node, path)]);
    await chmod(path, 0o755);
    await inject(path, blob);
    await writeFile(join(folder, 'THIRD-PARTY-LICENSES.txt'), licencesOf(included));
  } finally {
    await rm(scratch, { recursive: true });
  }
}

/** The script as Node reads it from its own file, with its compiled code, which halves the time of a start. */
async function preparedBlob(node: string, scratch: string) {
  const [main, output, config] = ['vaultsvc.cjs', 'blob', 'config.json'].map((name) => join(scratch, name));
  const { included } = await buildCli(main as string, 'cjs');
  const settings = { main, output, disableExperimentalSEAWarning: true, useCodeCache: true };
  await writeFile(config as string, JSON.stringify(settings));
  await execute(node, ['--experimental-sea-config', config as string]);
  return { included, blob: output as string };
}

/** Adds the script to the file. As a command, whose warnings about sections of the file nobody needs to read. */
async function inject(path: string, blob: string) {
  const postject = join(workspace, 'node_modules/postject/dist/cli.js');
  const args = [postject, path, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', sentinelFuse];
  await execute(process.execPath, args);
}
