import { createHash } from 'node:crypto';
import { pageScriptModule } from '../build/page-script.mjs';

/** Transforms the script of a page for Jest into the text that the bundles contain. */
export default {
  /**
   * @param {string} _source
   * @param {string} path
   */
  process: (_source, path) => ({ code: pageScriptModule(path) }),

  /**
   * The script has more source files than the one that Jest transforms.
   * @param {string} _source
   * @param {string} path
   */
  getCacheKey: (_source, path) => createHash('sha256').update(pageScriptModule(path)).digest('hex'),
};
