import type { Plugin } from 'esbuild';

/**
 * What a package loads although nothing here uses it. Nest's adapter of Express loads multer, which parses multipart forms, with two
 * tables of media types: 50 ms of each start. No route accepts such a form.
 */
const unused = ['multer'];

/** Replaces them in a bundle by a function that throws. */
export const unusedPackagesPlugin: Plugin = {
  name: 'unused-packages',
  setup(building) {
    building.onResolve({ filter: new RegExp(`^(${unused.join('|')})$`) }, ({ path }) => ({
      path,
      namespace: 'unused-packages',
    }));
    building.onLoad({ filter: /.*/, namespace: 'unused-packages' }, ({ path }) => ({
      contents: `export default () => { throw new Error('${path} is not in this bundle'); };\n`,
    }));
  },
};
