import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Options } from '@swc/core';
import type { Plugin } from 'esbuild';

/** @returns the options of `.swcrc`, which Jest uses as well */
function compilerOptions(): Options {
  const { $schema, ...options } = JSON.parse(readFileSync(new URL('../../.swcrc', import.meta.url), 'utf8'));
  return { ...options, swcrc: false, configFile: false };
}

/** Compiles TypeScript with swc, because esbuild does not emit the decorator metadata that Nest's injection needs. */
export function swcPlugin(): Plugin {
  const options = compilerOptions();
  return {
    name: 'swc',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const { transform } = await import('@swc/core');
        try {
          const { code } = await transform(await readFile(path, 'utf8'), { ...options, filename: path });
          return { contents: code, loader: 'js' };
        } catch (error) {
          // swc appends a native stack trace, which does not help.
          return { errors: [{ text: String(error).split('\n\nCaused by:')[0] }] };
        }
      });
    },
  };
}
