// node tools/build/web.ts [FOLDER]: the web application (apps/web) as the static files that a gateway serves: hashed names, each file
// compressed once by brotli and gzip. They are made once for a state of the sources, and copied into the folder.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { packagesFile } from './bundled-packages.ts';
import { webInputs } from './inputs.ts';

const workspace = fileURLToPath(new URL('../..', import.meta.url));
const cache = join(workspace, '.cache/web');
const DAY_MS = 86_400_000;

/** Beside the files: of which sources they are. */
export const stampFile = 'inputs.sha256';

/** The program that makes them and puts them into the folder of its argument. */
const webProgram = fileURLToPath(import.meta.url);

/** The folder with the files of the current sources. A child process makes them, because a test must not wait for promises. */
export function webFolder(): string {
  const folder = join(cache, webInputs());
  if (!existsSync(folder)) {
    const { status, stderr } = spawnSync(process.execPath, [webProgram], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`The web application cannot be built:\n${stderr}`);
  }
  return folder;
}

/** Whether a folder has the files of the current sources. */
export function isWebCurrent(folder: string): boolean {
  const stamp = join(folder, stampFile);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === webInputs();
}

/** Puts the files of the current sources into a folder, at once: a gateway may read it. */
async function putWeb(folder: string) {
  if (isWebCurrent(folder)) return;
  const made = await ensureWeb();
  const next = `${folder}.${process.pid}`;
  await cp(made, next, { recursive: true });
  await rm(folder, { recursive: true, force: true });
  await rename(next, folder);
}

/**
 * Makes the files, unless they are those of the current sources.
 * @returns their folder
 */
async function ensureWeb(): Promise<string> {
  const inputs = webInputs();
  const folder = join(cache, inputs);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const next = await mkdtemp(join(cache, 'making-'));
  try {
    // Vite is loaded only where something is built.
    const { bundleWeb } = await import('./web-bundle.ts');
    const packages = await bundleWeb(next);
    await compressAll(next);
    await writeFile(join(next, packagesFile), `${JSON.stringify(packages, null, 2)}\n`);
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

/** brotli at its best packs half a megabyte a second; larger chunks are loaded when something is opened, and are packed faster. */
const bestBelowBytes = 400_000;
const FAST = 9;

const compressible = new Set(['.html', '.js', '.css', '.svg', '.json', '.mjs']);

async function compressAll(folder: string) {
  const names = readdirSync(folder).filter((name) => compressible.has(extname(name)));
  await Promise.all(names.map((name) => compress(join(folder, name))));
}

/** gzip is for clients without brotli, which browsers offer over HTTPS and on loopback alone. */
async function compress(path: string) {
  const plain = readFileSync(path);
  const quality = plain.length < bestBelowBytes ? constants.BROTLI_MAX_QUALITY : FAST;
  const params = {
    [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
    [constants.BROTLI_PARAM_QUALITY]: quality,
  };
  await Promise.all([
    promisify(brotliCompress)(plain, { params }).then((bytes) => writeFile(`${path}.br`, bytes)),
    promisify(gzip)(plain, { level: 9 }).then((bytes) => writeFile(`${path}.gz`, bytes)),
  ]);
}

/** Removes what earlier sources have left; a command that runs may use those of the last hours. */
async function removeOld() {
  const old = readdirSync(cache)
    .map((name) => join(cache, name))
    .filter((path) => statSync(path).mtimeMs < Date.now() - DAY_MS);
  await Promise.all(old.map((path) => rm(path, { recursive: true, force: true })));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.umask(0o022);
  const [folder] = process.argv.slice(2);
  await (folder ? putWeb(folder) : ensureWeb());
}
