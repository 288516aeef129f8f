import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** The tarball of a package, as `npm pack` makes it: without times and owners, so that equal folders make equal tarballs. */
export async function pack(folder: string): Promise<Buffer> {
  const target = await mkdtemp(join(tmpdir(), 'vaultsvc-pack-'));
  try {
    const options = ['--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', target];
    const { stdout } = await execute('npm', ['pack', ...options], { cwd: folder });
    const [{ filename }] = JSON.parse(stdout);
    return await readFile(join(target, filename));
  } finally {
    await rm(target, { recursive: true });
  }
}
