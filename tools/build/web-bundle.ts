import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';
import { packageFolders } from './bundled-packages.ts';

const workspace = fileURLToPath(new URL('../..', import.meta.url));

/** Where the gateway serves the files. Hashed names: a file never changes, so browsers keep it for a year. */
const base = '/web/';

/** The application, and the document in which it shows files. */
const documents = ['index.html', 'preview.html'];

/** pdf.js as its publisher minified it: a half of the text to read. */
const alias = [{ find: /^(pdfjs-dist\/.*)(?<!\.min)\.mjs$/, replacement: '$1.min.mjs' }];

const quiet = ['MODULE_LEVEL_DIRECTIVE', 'PLUGIN_TIMINGS'];

/**
 * Bundles the web application into a folder.
 * @returns the packages in it, as folders relative to the workspace
 */
export async function bundleWeb(folder: string): Promise<string[]> {
  const root = join(workspace, 'apps/web');
  const included: string[] = [];
  // Vite keeps that of a test, with which React is half as large again and checks itself.
  process.env['NODE_ENV'] = 'production';
  await build({
    root,
    base,
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: 'warn',
    mode: 'production',
    resolve: { conditions: ['@vaultsvc/source', 'module', 'browser', 'production'], alias },
    plugins: [
      {
        name: 'included-packages',
        generateBundle: (_, bundle) => void included.push(...modulesOf(bundle)),
      },
    ],
    build: {
      outDir: folder,
      assetsDir: '',
      emptyOutDir: false,
      target: ['chrome109', 'firefox115', 'safari16.4'],
      // The policy admits no inline script, and no image of another kind than icons.
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      manifest: 'manifest.json',
      reportCompressedSize: false,
      chunkSizeWarningLimit: 2_000,
      rolldownOptions: {
        input: documents.map((name) => join(root, name)),
        // `use client` is for servers that render, and a busy machine is slow.
        onLog: (level, log, report) => {
          if (!quiet.includes(log.code ?? '')) report(level, log);
        },
      },
    },
  });
  await assertFlat(folder);
  return packageFolders(included.map((path) => relative(workspace, path)));
}

function modulesOf(bundle: Rolldown.OutputBundle): string[] {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
  return chunks.flatMap(({ modules }) =>
    Object.entries(modules).flatMap(([path, { renderedLength }]) =>
      renderedLength > 0 && path.startsWith('/') ? [path] : [],
    ),
  );
}

/** The gateway serves files by their names, without folders. */
async function assertFlat(folder: string) {
  const nested = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of nested) {
    await rm(join(folder, name), { recursive: true });
    throw new Error(`The bundle of apps/web has a folder ${name}.`);
  }
}
