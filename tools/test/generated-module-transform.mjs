import { createHash } from 'node:crypto';
import { generatedModule } from '../build/generated-modules.mjs';

/** Transforms a generated module for Jest into the text that the bundles contain. */
export default {
  /**
   * @param {string} _source
   * @param {string} path
   */
  process: (_source, path) => ({ code: generatedModule(path) }),

  /**
   * The module is made of other files than the one that Jest transforms.
   * @param {string} _source
   * @param {string} path
   */
  getCacheKey: (_source, path) => createHash('sha256').update(generatedModule(path)).digest('hex'),
};
