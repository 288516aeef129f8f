import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** @returns {import('@swc/core').Options} the workspace's one compiler setting, as Jest uses it too */
function compilerOptions() {
  const { $schema, ...options } = JSON.parse(readFileSync(new URL('../../.swcrc', import.meta.url), 'utf8'));
  return { ...options, swcrc: false, configFile: false };
}

/**
 * Compiles TypeScript with swc. esbuild alone cannot: it emits no decorator metadata, and Nest injects by it.
 * @returns {import('esbuild').Plugin}
 */
export function swcPlugin() {
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
          // swc appends a native stack, which says nothing about the source.
          return { errors: [{ text: String(error).split('\n\nCaused by:')[0] }] };
        }
      });
    },
  };
}
