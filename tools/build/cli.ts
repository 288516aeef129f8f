import { randomBytes } from 'node:crypto';
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';

const workspace = fileURLToPath(new URL('../..', import.meta.url));

/** Node imports the bundle, and the executable contains it as a script of CommonJS. */
export type CliFormat = 'esm' | 'cjs';

/**
 * `require` of the bundle, which loads a module of Node when a part of it is used for the first time: `--version` needs none of
 * TLS, child processes and ciphers.
 */
const lazyRequire = `const require = ((load) => (name) => !name.startsWith('node:') ? load(name) : new Proxy({}, {
  get: (_, key) => load(name)[key],
  ownKeys: () => Reflect.ownKeys(load(name)),
  getOwnPropertyDescriptor: (_, key) => ({ value: load(name)[key], enumerable: true, configurable: true }),
}))(bundleRequire(import.meta.url));`;

const formats: Readonly<Record<CliFormat, Pick<BuildOptions, 'format' | 'banner'>>> = {
  esm: {
    // In CommonJS each part loads the modules of Node when it is loaded itself; imports would load all of them at once.
    format: 'cjs',
    banner: {
      js: [
        '#!/usr/bin/env node',
        `import { createRequire as bundleRequire } from 'node:module';`,
        lazyRequire,
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

/** tus-js-client loads HTTPS and TLS. It is loaded by the first upload, until when each name that is used of it is a getter. */
const lazyTus: Plugin = {
  name: 'lazy-tus',
  setup(building) {
    const names = ['Upload', 'DetailedError'];
    const getters = names.map((name) => `get ${name}() { return require('tus-js-client').${name}; }`);
    const parts: Readonly<Record<string, string>> = {
      getters: `module.exports = { ${getters.join(', ')} };`,
      // Named, so that the rest of it is left out.
      names: `export { ${names.join(', ')} } from 'tus-js-client';`,
    };
    building.onResolve({ filter: /^tus-js-client$/ }, ({ kind, namespace }) => {
      if (namespace === 'lazy-tus' && kind === 'import-statement') return undefined;
      return { path: kind === 'require-call' ? 'names' : 'getters', namespace: 'lazy-tus' };
    });
    building.onLoad({ filter: /.*/, namespace: 'lazy-tus' }, ({ path }) => ({
      contents: parts[path] as string,
      resolveDir: workspace,
    }));
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
    plugins: [withoutUnused, lazyTus],
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
  const isFile = (path: string) => !path.startsWith(`${lazyTus.name}:`);
  const included = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const used = included.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
  return { read: Object.keys(inputs).filter(isFile), included: used.filter(isFile) };
}
