import { createHash } from 'node:crypto';
import { pageScriptModule } from '../build/page-script.mjs';

/** Jest's way to the script of a page: the same text as in the bundles. */
export default {
  /**
   * @param {string} _source
   * @param {string} path
   */
  process: (_source, path) => ({ code: pageScriptModule(path) }),

  /**
   * The sources of the script are other files than the one that Jest looks at.
   * @param {string} _source
   * @param {string} path
   */
  getCacheKey: (_source, path) => createHash('sha256').update(pageScriptModule(path)).digest('hex'),
};
