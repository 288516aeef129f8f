import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { swcPlugin } from '../build/swc-plugin.ts';
import { services, workspace } from '../stack/settings.ts';

/** @returns deploy/topology.json: which service may send which messages, from the contracts */
export async function topology(): Promise<string> {
  const { topologyOf } = await loadCatalog();
  return `${JSON.stringify(topologyOf(services), null, 2)}\n`;
}

/** Bundles and imports the contracts, which are TypeScript with decorators. */
async function loadCatalog() {
  const folder = mkdtempSync(join(tmpdir(), 'vaultsvc-contracts-'));
  try {
    const outfile = join(folder, 'catalog.mjs');
    await esbuild.build({
      entryPoints: [join(workspace, 'libs/contracts/src/catalog/index.ts')],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      conditions: ['@vaultsvc/source'],
      logLevel: 'silent',
      plugins: [swcPlugin()],
      banner: {
        js: "import { createRequire as bundleRequire } from 'node:module'; const require = bundleRequire(import.meta.url);",
      },
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
