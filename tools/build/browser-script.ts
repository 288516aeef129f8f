import { buildSync } from 'esbuild';
import { fileURLToPath } from 'node:url';

/** JavaScript for browsers: the script of a page and the modules that it imports. */
export function browserScript(source: URL): string {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(source)],
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    charset: 'utf8',
    logLevel: 'silent',
    tsconfigRaw: {},
  });
  return outputFiles[0]?.text ?? '';
}
