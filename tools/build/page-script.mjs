import { dirname, join } from 'node:path';
import { buildSync } from 'esbuild';

/** A module that stands for the script of a page: what it holds on the disk is for the type checker alone. */
export const pageScriptFile = /[\\/]page-script\.ts$/;

/**
 * What takes the place of such a module: one constant with the bundle of `client/main.ts` beside it, so that the
 * script is checked as TypeScript and served as a text.
 * @param {string} path of the module
 * @returns {string} JavaScript
 */
export function pageScriptModule(path) {
  return `export const pageScript = ${JSON.stringify(bundleOf(join(dirname(path), 'client/main.ts')))};`;
}

/**
 * Small, and for every browser that is still given security fixes.
 * @param {string} entryPoint
 */
function bundleOf(entryPoint) {
  const { outputFiles } = buildSync({
    entryPoints: [entryPoint],
    write: false,
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: ['chrome109', 'firefox115', 'safari16'],
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
    tsconfigRaw: {},
  });
  return outputFiles[0].text.trim();
}

/**
 * For the bundles of the services.
 * @returns {import('esbuild').Plugin}
 */
export function pageScriptPlugin() {
  return {
    name: 'page-script',
    setup(build) {
      build.onLoad({ filter: pageScriptFile }, ({ path }) => ({
        contents: pageScriptModule(path),
        loader: 'js',
      }));
    },
  };
}
