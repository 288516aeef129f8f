import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildCli } from './cli.ts';
import { licencesOf } from './licences.ts';
import { publishedManifest } from './package-manifest.ts';
import { packageTexts, writePackageTexts } from './package-texts.ts';

/** The name of the bundle in the package. */
export const cliBundle = 'vaultsvc.mjs';

const licences = 'THIRD-PARTY-LICENSES.txt';

/** Builds the command line as it is published. The bundle needs no other package. */
export async function buildCliPackage(outdir: string): Promise<void> {
  await rm(outdir, { recursive: true, force: true });
  await mkdir(outdir, { recursive: true });
  const { included } = await buildCli(join(outdir, cliBundle));
  await writeFile(join(outdir, licences), licencesOf(included));
  await writeFile(join(outdir, 'package.json'), manifest());
  await writePackageTexts('cli', outdir);
}

function manifest() {
  return publishedManifest('cli', {
    bin: { vaultsvc: cliBundle },
    // It is a program: nothing imports it.
    exports: { './package.json': './package.json' },
    files: [cliBundle, licences, ...packageTexts],
  });
}
