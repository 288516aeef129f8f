// Builds libs/client/dist: the package as it is published, from which `npm pack` makes a tarball.
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';

const workspace = fileURLToPath(new URL('../..', import.meta.url));
const client = join(workspace, 'libs/client');

/** The entry points by their names in `exports`. */
const entries = { '.': 'index', './node': 'node/index', './audit': 'audit/index' };

export async function buildClient(outdir: string = join(client, 'dist')): Promise<void> {
  await rm(outdir, { recursive: true, force: true });
  await bundle(outdir);
  await declarations(outdir);
  await writeFile(join(outdir, 'package.json'), `${JSON.stringify(await manifest(), null, 2)}\n`);
  await cp(join(workspace, 'LICENSE'), join(outdir, 'LICENSE'));
  await cp(join(workspace, 'docs/client.md'), join(outdir, 'README.md'));
}

/** Bundles our sources, the verifier of exports included, and leaves the package's dependencies to its user. */
async function bundle(outdir: string) {
  await esbuild.build({
    entryPoints: Object.values(entries).map((entry) => join(client, 'src', `${entry}.ts`)),
    outbase: join(client, 'src'),
    outdir,
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[hash]',
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    conditions: ['@vaultsvc/source'],
    external: ['node:*', ...Object.keys((await ownManifest()).dependencies)],
    logLevel: 'warning',
    tsconfigRaw: {},
  });
}

async function declarations(outdir: string) {
  const folder = await mkdtemp(join(tmpdir(), 'vaultsvc-client-'));
  try {
    run(join(workspace, 'tools/build/client-types.ts'));
    const tsc = join(workspace, 'node_modules/.bin/tsc');
    run(tsc, '-p', join(client, 'tsconfig.build.json'), '--outDir', folder);
    // Declarations of other libs are not needed: no export of the client refers to them.
    await cp(join(folder, 'libs/client/src'), outdir, { recursive: true });
  } finally {
    await rm(folder, { recursive: true });
  }
}

function run(script: string, ...args: string[]) {
  const { status } = spawnSync(process.execPath, [script, ...args], { stdio: 'inherit' });
  if (status !== 0) throw new Error('The types of libs/client do not compile');
}

async function manifest() {
  const { name, version, type, dependencies } = await ownManifest();
  const exported = Object.entries(entries).map(([path, entry]) => [
    path,
    { types: `./${entry}.d.ts`, default: `./${entry}.js` },
  ]);
  return {
    name,
    version,
    description: 'Client of the vaultsvc API for Node, Deno, Bun and browsers',
    license: 'Apache-2.0',
    type,
    engines: { node: '>=20.3' },
    sideEffects: false,
    exports: Object.fromEntries(exported),
    dependencies,
  };
}

async function ownManifest(): Promise<{
  name: string;
  version: string;
  type: string;
  dependencies: Record<string, string>;
}> {
  return JSON.parse(await readFile(join(client, 'package.json'), 'utf8'));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildClient();
