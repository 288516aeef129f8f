import { describe, expect, it } from '@jest/globals';
import { build, type Plugin } from 'esbuild';
import { resolve } from 'node:path';

const SDK = '@aws-sdk/client-kms';

/** Only sources of the workspace are bundled; generated pages are not made. */
const sourcesOnly: Plugin = {
  name: 'sources-only',
  setup({ onResolve }) {
    onResolve({ filter: /\/(page-module|page-script|reference-assets|guides)\.js$/ }, ({ path }) => ({
      path,
      external: true,
    }));
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@vaultsvc/') ? undefined : { path, external: true },
    );
  },
};

/** How the program of a service imports the SDK. */
async function importsOf(service: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [resolve('apps', service, 'src/main.ts')],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    conditions: ['@vaultsvc/source'],
    plugins: [sourcesOnly],
    logLevel: 'silent',
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  return imports.filter(({ path }) => path === SDK).map(({ kind }) => kind);
}

describe('OPEN-45: the SDK of AWS KMS', () => {
  it.each(['auth', 'sparks', 'vaults', 'notify', 'integrations'])(
    'is loaded by %s only when a key of AWS is used',
    async (service) => {
      expect(await importsOf(service)).toEqual(['dynamic-import']);
    },
  );

  it.each(['gateway', 'forge', 'reporting'])(
    'is not in the program of %s, which has no key',
    async (service) => {
      expect(await importsOf(service)).toEqual([]);
    },
  );
});
