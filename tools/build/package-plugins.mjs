import { readFile } from 'node:fs/promises';

/**
 * A package may try another that the operator need not have (Nest's websockets, TypeORM's other databases) and
 * handles its absence at run time. Such an import stays an import; our own sources get no such leniency.
 * @returns {import('esbuild').Plugin}
 */
export function optionalPackages() {
  return {
    name: 'optional-packages',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, ...from }) => {
        if (pluginData === 'asked' || !from.importer.includes('node_modules')) return undefined;
        const { errors } = await build.resolve(path, { ...from, pluginData: 'asked' });
        return errors.length > 0 ? { path, external: true } : undefined;
      });
    },
  };
}

const dynamicRequire = 'return require(name);';

/**
 * TypeORM finds its driver with `require(name)`, which a bundler cannot follow. The bundle holds `pg` once, shared
 * with our own code, so that one process never has two copies of its type parsers.
 * @returns {import('esbuild').Plugin}
 */
export function bundledPostgresDriver() {
  return {
    name: 'bundled-postgres-driver',
    setup(build) {
      build.onLoad({ filter: /typeorm\/platform\/PlatformTools\.js$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        if (!source.includes(dynamicRequire)) throw new Error(`${path} loads its driver in a new way`);
        return {
          contents: source.replace(dynamicRequire, `return name === 'pg' ? require('pg') : require(name);`),
        };
      });
    },
  };
}
