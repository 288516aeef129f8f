import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { includedFiles, packageFolders } from '../build/bundled-packages.ts';
import { buildDefines } from '../build/build-constants.ts';
import { workspace } from '../stack/settings.ts';

const LATE = "createRequire(import.meta.url)('@nats-io/nkeys')";

/** The launcher of the local stack loads this package late, which esbuild does not see. */
const bundledNKeys: Plugin = {
  name: 'bundled-nkeys',
  setup(building) {
    building.onLoad({ filter: /[\\/]provision[\\/]keys\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      if (!source.includes(LATE))
        throw new Error(`${path} loads @nats-io/nkeys in another way than expected`);
      return { contents: source.replace(LATE, "require('@nats-io/nkeys')"), loader: 'ts' };
    });
  },
};

/**
 * Bundles `provision`, so that an installation makes its keys without a checkout.
 * @returns the folders of the packages in it
 */
export async function buildProvision(outdir: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: {
      main: join(workspace, 'tools/provision/run.ts'),
      installation: join(workspace, 'tools/provision/installation.ts'),
      kubernetes: join(workspace, 'tools/provision/kubernetes.ts'),
      'delete-stream': join(workspace, 'tools/provision/delete-stream.ts'),
      'kms-keys': join(workspace, 'tools/provision/kms-keys-program.ts'),
    },
    outdir,
    bundle: true,
    format: 'esm',
    platform: 'node',
    conditions: ['@vaultsvc/source'],
    target: 'node20',
    define: buildDefines(),
    banner: {
      js: "import { createRequire as bundleRequire } from 'node:module';\nconst require = bundleRequire(import.meta.url);",
    },
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    plugins: [bundledNKeys],
    tsconfigRaw: {},
  });
  return packageFolders(Object.values(metafile.outputs).flatMap(includedFiles));
}
