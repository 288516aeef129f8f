#!/usr/bin/env node
// The viewer of the API reference: the browser build in the package @scalar/api-reference. npm installs no package without its
// dependencies, here 260 packages that the build contains already. So this program downloads the package alone, compares it
// with its hash, and keeps the files that browsers load, compressed.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const execute = promisify(execFile);

export const viewer = {
  name: '@scalar/api-reference',
  version: '1.72.1',
  /**
   * As npm shows it: `npm view
   * @scalar /api-reference@1.72.1 dist.integrity`.
   */
  integrity:
    'sha512-XpEJ0rfc/cXbCrR+iC4kK0o/WwX2dTtGQbT049OlPKAHD6IMIFdTeGz2r+M27P2EDWKyUITRm/NzlP8z2pw/Ow==',
  /** Where its modules start, in dist/browser. */
  entry: 'standalone.esm.js',
};

/** Outside of node_modules, which `npm ci` empties. A JSON object: each file compressed with brotli, in base64. */
export const viewerFile = fileURLToPath(
  new URL(`../../.cache/reference-viewer-${viewer.version}.json`, import.meta.url),
);

/** Downloads the viewer, unless it is here. */
export async function ensureViewer() {
  if (existsSync(viewerFile)) return;
  const folder = await mkdtemp(join(tmpdir(), 'vaultsvc-viewer-'));
  try {
    await download(folder);
    const text = JSON.stringify(await compressedFiles(join(folder, 'package/dist/browser')));
    await mkdir(dirname(viewerFile), { recursive: true });
    // By a rename: another command may download it at the same time.
    await writeFile(`${viewerFile}.${process.pid}`, text);
    await rename(`${viewerFile}.${process.pid}`, viewerFile);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Unpacks the package into a folder.
 * @throws where its content is another than expected
 */
async function download(folder: string) {
  const { name, version, integrity } = viewer;
  const options = ['--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder];
  const { stdout } = await execute('npm', ['pack', `${name}@${version}`, ...options], { cwd: folder });
  const archive = join(folder, JSON.parse(stdout)[0].filename);
  const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  if (found !== integrity) throw new Error(`${name}@${version} has ${found} instead of ${integrity}`);
  await execute('tar', ['-xzf', archive, '-C', folder]);
}

/** The entry and every file that a file names, at any depth: a browser loads those that it needs. */
async function compressedFiles(folder: string): Promise<Record<string, string>> {
  const texts: Map<string, string> = new Map();
  const read = async (name: string) => {
    if (texts.has(name) || !existsSync(join(folder, name))) return;
    texts.set(name, '');
    const text = (await readFile(join(folder, name), 'utf8')).replace(/\n\/\/# sourceMappingURL=.*/, '');
    texts.set(name, text);
    for (const [, path = ''] of text.matchAll(/["'`](\.\.?\/[^"'`]+?\.js)["'`]/g))
      await read(posix.join(posix.dirname(name), path));
  };
  await read(viewer.entry);
  const files = [...texts].map(async ([name, text]) => [name, await compressed(text)]);
  return Object.fromEntries(await Promise.all(files));
}

async function compressed(text: string) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 22 };
  return (await promisify(brotliCompress)(text, { params })).toString('base64');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await ensureViewer();
