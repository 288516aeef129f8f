// Bundles the CLI into one file that needs only Node: libs/cli/dist/vaultsvc.mjs.
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Where the CLI is after a build. */
export const cliFile = at('libs/cli/dist/vaultsvc.mjs');

/** Replaces the file by a rename, so that a CLI that starts meanwhile finds the old one or the new one. */
export async function buildCli(outfile = cliFile) {
  const { outputFiles } = await build({
    entryPoints: [at('libs/cli/src/main.ts')],
    outfile,
    absWorkingDir: at('.'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['@vaultsvc/source'],
    // Packages in CommonJS call `require`.
    banner: {
      js: `import { createRequire as bundleRequire } from 'node:module';\nconst require = bundleRequire(import.meta.url);`,
    },
    legalComments: 'linked',
    logLevel: 'warning',
    write: false,
  });
  await mkdir(dirname(outfile), { recursive: true });
  for (const { path, contents } of outputFiles) {
    const temporary = `${path}.${randomBytes(4).toString('hex')}`;
    await writeFile(temporary, contents);
    await chmod(temporary, 0o755);
    await rename(temporary, path);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildCli();
