import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Options } from '@swc/core';
import type { Plugin } from 'esbuild';

/** @returns the options of `.swcrc`, which Jest uses as well */
function compilerOptions(): Options {
  const { $schema, ...options } = JSON.parse(readFileSync(new URL('../../.swcrc', import.meta.url), 'utf8'));
  return { ...options, swcrc: false, configFile: false };
}

/**
 * Compiles TypeScript with swc, because esbuild does not emit the decorator metadata that Nest's injection needs. A file that
 * several builds with one plugin contain is compiled once, until it changes.
 */
export function swcPlugin(): Plugin {
  const options = compilerOptions();
  const known: Map<string, { source: string; code: Promise<string> }> = new Map();
  const compile = async (path: string) => {
    const source = await readFile(path, 'utf8');
    const before = known.get(path);
    if (before?.source === source) return before.code;
    const code = import('@swc/core')
      .then(({ transform }) => transform(source, { ...options, filename: path }))
      .then((result) => result.code);
    known.set(path, { source, code });
    return code;
  };
  return {
    name: 'swc',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        try {
          return { contents: await compile(path), loader: 'js' };
        } catch (error) {
          // swc appends a native stack trace, which does not help.
          return { errors: [{ text: String(error).split('\n\nCaused by:')[0] }] };
        }
      });
    },
  };
}
