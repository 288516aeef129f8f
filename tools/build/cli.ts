import { randomBytes } from 'node:crypto';
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';

const workspace = fileURLToPath(new URL('../..', import.meta.url));

/** Node imports the bundle, and the executable contains it as a script of CommonJS. */
export type CliFormat = 'esm' | 'cjs';

const formats: Readonly<Record<CliFormat, Pick<BuildOptions, 'format' | 'banner'>>> = {
  esm: {
    format: 'esm',
    // Packages in CommonJS call `require`.
    banner: {
      js: [
        '#!/usr/bin/env node',
        `import { createRequire as bundleRequire } from 'node:module';`,
        'const require = bundleRequire(import.meta.url);',
        '{',
        `  const [major, minor] = process.versions.node.split('.').map(Number);`,
        '  if (major < 20 || (major === 20 && minor < 19)) {',
        '    process.stderr.write(`vaultsvc needs Node 20.19 or later, and this is Node ${process.version}.\\n`);',
        '    process.exit(1);',
        '  }',
        '}',
      ].join('\n'),
    },
  },
  cjs: { format: 'cjs' },
};

/** tus-js-client could keep URLs in files and send parts in parallel by these. Unused, they need not be loaded. */
const withoutUnused: Plugin = {
  name: 'without-unused',
  setup(building) {
    building.onResolve(
      { filter: /^(proper-lockfile|combine-errors)$/ },
      async ({ path, pluginData, ...rest }) => {
        if (pluginData === withoutUnused) return undefined;
        const resolved = await building.resolve(path, { ...rest, pluginData: withoutUnused });
        return { ...resolved, sideEffects: false };
      },
    );
  },
};

/** The files of which a bundle is made, relative to the workspace. */
interface CliInputs {
  /** All that were read. */
  readonly read: readonly string[];
  /** Those of which the bundle has a part. */
  readonly included: readonly string[];
}

/**
 * Bundles the CLI into one file that needs only Node. Replaces it by a rename, so that a CLI that starts meanwhile finds the
 * old one or the new one.
 */
export async function buildCli(outfile: string, format: CliFormat = 'esm'): Promise<CliInputs> {
  const { outputFiles, metafile } = await build({
    entryPoints: [`${workspace}libs/cli/src/main.ts`],
    outfile,
    absWorkingDir: workspace,
    bundle: true,
    platform: 'node',
    target: 'node20',
    conditions: ['@vaultsvc/source'],
    // Modules that are not used are left out of packages in ESM: the program starts in half the time.
    mainFields: ['module', 'main'],
    plugins: [withoutUnused],
    legalComments: 'eof',
    logLevel: 'warning',
    write: false,
    metafile: true,
    ...formats[format],
  });
  await mkdir(dirname(outfile), { recursive: true });
  for (const { path, contents } of outputFiles) {
    const temporary = `${path}.${randomBytes(4).toString('hex')}`;
    await writeFile(temporary, contents);
    await chmod(temporary, 0o755);
    await rename(temporary, path);
  }
  return inputsOf(metafile);
}

function inputsOf({ inputs, outputs }: Metafile): CliInputs {
  const included = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const used = included.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
  return { read: Object.keys(inputs), included: used };
}
