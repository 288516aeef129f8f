import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildSync } from 'esbuild';
import { noteBrowserScript } from './bundled-packages.ts';

/** A module that exports the script of a page, and its style where that is a file. Its source on the disk is only for the type checker. */
export const pageScriptFile = /[\\/]page-script\.ts$/;

/**
 * Replaces such a module by constants with the bundles of `client/main.ts` beside it, so that the script is checked as
 * TypeScript and served as text, and of `client/main.css` if there is one.
 * @param path of the module
 * @returns JavaScript
 */
export function pageScriptModule(path: string): string {
  const client = join(dirname(path), 'client');
  const style = join(client, 'main.css');
  return [
    `export const pageScript = ${JSON.stringify(bundleForBrowsers(join(client, 'main.ts')))};`,
    ...(existsSync(style) ? [`export const pageStyle = ${JSON.stringify(bundleForBrowsers(style))};`] : []),
  ].join('\n');
}

/** A minified bundle for every browser that still receives security fixes. */
export function bundleForBrowsers(entryPoint: string, format: 'iife' | 'esm' = 'iife'): string {
  const { outputFiles, metafile } = buildSync({
    entryPoints: [entryPoint],
    write: false,
    metafile: true,
    bundle: true,
    minify: true,
    format,
    platform: 'browser',
    target: ['chrome109', 'firefox115', 'safari16'],
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
    tsconfigRaw: {},
  });
  noteBrowserScript(entryPoint, metafile);
  return (outputFiles[0]?.text ?? '').trim();
}
