import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildCliPackage } from './cli-package.ts';

export const macosArchive = 'vaultsvc-macos.tar.gz';

const launcher = fileURLToPath(new URL('./launcher.sh', import.meta.url));

/** Writes the bundle, the script that starts it with the Node of the machine, and the texts of the package. */
export async function buildMacosArchive(folder: string): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'vaultsvc-macos-'));
  const content = join(scratch, 'vaultsvc');
  try {
    await buildCliPackage(content);
    await copyFile(launcher, join(content, 'vaultsvc'));
    await chmod(join(content, 'vaultsvc'), 0o755);
    await mkdir(folder, { recursive: true });
    await promisify(execFile)('tar', ['-czf', join(folder, macosArchive), '-C', scratch, 'vaultsvc']);
  } finally {
    await rm(scratch, { recursive: true });
  }
}
