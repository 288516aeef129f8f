import { dirname, join } from 'node:path';
import { bundleForBrowsers } from './page-script.ts';

/** A module that exports the text of a script that pages import when they need it. Its source on the disk is only for the type checker. */
export const pageModuleFile = /[\\/]page-module\.ts$/;

/**
 * Replaces such a module by a constant with the bundle of `client/main.ts` beside it, with its exports.
 * @param path of the module
 * @returns JavaScript
 */
export function pageModuleModule(path: string): string {
  const bundle = bundleForBrowsers(join(dirname(path), 'client/main.ts'), 'esm');
  return `export const pageModule = ${JSON.stringify(bundle)};`;
}
