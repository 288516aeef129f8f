import { createHash } from 'node:crypto';
import { generatedModule } from '../build/generated-modules.ts';

/** Transforms a generated module for Jest into the text that the bundles contain. */
export default {
  process: (_source: string, path: string) => ({ code: generatedModule(path) }),

  /** The module is made of other files than the one that Jest transforms. */
  getCacheKey: (_source: string, path: string) =>
    createHash('sha256').update(generatedModule(path)).digest('hex'),
};
