import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { viewer, viewerFile } from './reference-viewer.ts';

/** The module that exports the files of the reference's viewer. Its source on the disk is only for the type checker. */
export const referenceAssetsFile = /[\\/]reference-assets\.ts$/;

/**
 * Replaces the module by the version of the viewer, the name of its first file, and its compressed files.
 * @returns JavaScript
 */
export function referenceAssetsModule(): string {
  const { version, entry } = viewer;
  return Object.entries({ version, entry, files: files() })
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .join('\n');
}

/** An installation has downloaded them; a child process does it where Jest or a build runs without one, and must not wait. */
function files(): Record<string, string> {
  if (!existsSync(viewerFile)) {
    const script = fileURLToPath(new URL('./reference-viewer.ts', import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`The viewer of the reference cannot be downloaded:\n${stderr}`);
  }
  return JSON.parse(readFileSync(viewerFile, 'utf8'));
}
