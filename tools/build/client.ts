import { spawnSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { writeDeclarations } from './declarations.ts';
import { publishedManifest, sourceManifest } from './package-manifest.ts';
import { packageTexts, writePackageTexts } from './package-texts.ts';

const workspace = fileURLToPath(new URL('../..', import.meta.url));
const source = join(workspace, 'libs/client/src');

/** The entry points by their names in `exports`. */
const entries = { '.': 'index', './node': 'node/index', './audit': 'audit/index' };

/** Builds the client as it is published, from which `npm pack` makes its tarball. */
export async function buildClient(outdir: string): Promise<void> {
  await rm(outdir, { recursive: true, force: true });
  await bundle(outdir);
  ensureTypes();
  writeDeclarations(join(workspace, 'libs/client/tsconfig.build.json'), source, outdir);
  await writeFile(join(outdir, 'package.json'), manifest());
  await writePackageTexts('client', outdir);
}

/** Bundles our sources, the verifier of exports included, and leaves the package's dependencies to its user. */
async function bundle(outdir: string) {
  await esbuild.build({
    entryPoints: Object.values(entries).map((entry) => join(source, `${entry}.ts`)),
    outbase: source,
    outdir,
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[hash]',
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    conditions: ['@vaultsvc/source'],
    external: ['node:*', ...Object.keys(sourceManifest('client').dependencies ?? {})],
    logLevel: 'warning',
    tsconfigRaw: {},
  });
}

/** Makes the types of the calls, in a process of its own: the compiler of the contracts takes half a gigabyte. */
function ensureTypes() {
  const script = join(workspace, 'tools/build/client-types.ts');
  const { status } = spawnSync(process.execPath, [script], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error('The types of the calls of the client cannot be made');
}

function manifest() {
  const exported = Object.entries(entries).map(([path, entry]) => [
    path,
    { types: `./${entry}.d.ts`, default: `./${entry}.js` },
  ]);
  return publishedManifest('client', {
    sideEffects: false,
    exports: { ...Object.fromEntries(exported), './package.json': './package.json' },
    files: ['**/*.js', '**/*.d.ts', ...packageTexts],
    dependencies: sourceManifest('client').dependencies,
  });
}
