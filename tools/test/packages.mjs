import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { optionalPackages } from '../build/app.mjs';

const workspace = fileURLToPath(new URL('../..', import.meta.url));
const lockFile = join(workspace, 'package-lock.json');

/** What services load from node_modules. Whoever asks for one gets it from the bundle, so none may be there twice. */
const names = [
  '@aws-sdk/client-kms',
  '@aws-sdk/client-s3',
  '@nats-io/jetstream',
  '@nats-io/transport-node',
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/platform-express',
  'class-validator',
  'jose',
  'openid-client',
  'pg',
  'pino',
  'prom-client',
  'redis',
  'reflect-metadata',
  'rxjs',
  'typeorm',
];

/** What the bundle's text evaluates to: it fills `module.exports` with a getter for each package. */
const loader = '(function (module, exports, require) {';

/**
 * The packages in one file, made when the lock file changed: a thousand modules less to load for each spec file (ADR 17).
 * @returns {Promise<{ bundle: string, moduleNameMapper: Record<string, string> }>} the second as Jest takes it
 */
export async function bundledPackages() {
  const dir = join(workspace, 'node_modules/.cache/vaultsvc-specs', stamp());
  if (!existsSync(dir)) await fill(dir);
  return {
    bundle: join(dir, 'bundle.js'),
    moduleNameMapper: { [`^(${names.join('|')})$`]: join(dir, '$1.cjs') },
  };
}

function stamp() {
  const hash = createHash('sha256').update(readFileSync(fileURLToPath(import.meta.url)));
  return hash.update(readFileSync(lockFile)).digest('hex').slice(0, 16);
}

/** @throws when another package has one of these in a version of its own, which it would no longer get */
function assertOneVersion() {
  const paths = Object.keys(JSON.parse(readFileSync(lockFile, 'utf8')).packages);
  const second = paths.find((path) => names.some((name) => path.endsWith(`/node_modules/${name}`)));
  if (second)
    throw new Error(`${second} is a second version: take it off the list in tools/test/packages.mjs`);
}

/**
 * Runs of Jest that begin together each make one, and the first to end is taken: no run sees half a folder.
 * @param {string} dir
 */
async function fill(dir) {
  assertOneVersion();
  mkdirSync(dirname(dir), { recursive: true });
  const made = mkdtempSync(`${dir}-`);
  await esbuild.build(optionsFor(join(made, 'bundle.js')));
  writeFileSync(join(made, 'all.cjs'), 'globalThis.loadPackages(module, exports, require);\n');
  for (const name of names) writeModule(made, name);
  try {
    renameSync(made, dir);
  } catch (error) {
    rmSync(made, { recursive: true });
    if (!existsSync(dir)) throw error;
  }
}

/**
 * What Jest finds in place of the package. In two statements, for Jest would look for exports in all of the bundle.
 * @param {string} dir
 * @param {string} name
 */
function writeModule(dir, name) {
  const path = join(dir, `${name}.cjs`);
  mkdirSync(dirname(path), { recursive: true });
  const all = JSON.stringify(relative(dirname(path), join(dir, 'all.cjs')).replace(/^(?!\.)/, './'));
  writeFileSync(path, `const all = require(${all});\nmodule.exports = all['${name}'];\n`);
}

/**
 * @param {string} outfile
 * @returns {esbuild.BuildOptions}
 */
function optionsFor(outfile) {
  const getters = names.map((name) => `get '${name}'() { return require('${name}'); },`);
  return {
    stdin: { contents: `module.exports = {\n${getters.join('\n')}\n};`, resolveDir: workspace },
    outfile,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    external: optionalPackages,
    // As in the bundles of the apps: Nest's tokens are class names.
    keepNames: true,
    banner: { js: loader },
    footer: { js: '})' },
    legalComments: 'none',
    logLevel: 'silent',
    plugins: [importedWhereNotRequired()],
  };
}

/**
 * The bundle asks with `require`, so that a package is evaluated when it is asked for; some can only be imported.
 * @returns {esbuild.Plugin}
 */
function importedWhereNotRequired() {
  return {
    name: 'imported-where-not-required',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, async ({ path, resolveDir, kind, pluginData }) => {
        if (kind !== 'require-call' || !names.includes(path) || pluginData === 'asked') return undefined;
        const ask = (/** @type {esbuild.ImportKind} */ as) =>
          build.resolve(path, { resolveDir, kind: as, pluginData: 'asked' });
        const required = await ask(kind);
        return required.errors.length === 0 ? required : ask('import-statement');
      });
    },
  };
}
