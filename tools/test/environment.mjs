import { readFileSync } from 'node:fs';
import { constants, Script } from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

/** @type {Script | undefined} */
let compiled;

/**
 * Compiled once for each worker. It runs anew in the context of every spec file, which so has packages of its own.
 * @param {string} bundle
 */
function packagesIn(bundle) {
  compiled ??= new Script(readFileSync(bundle, 'utf8'), {
    filename: bundle,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  return compiled;
}

/** Jest's own environment, and the bundle of packages in it. */
export default class extends TestEnvironment {
  /**
   * Setup files run before `setup()`, and they load packages.
   * @param {import('@jest/environment').JestEnvironmentConfig} config
   * @param {import('@jest/environment').EnvironmentContext} context
   */
  constructor(config, context) {
    super(config, context);
    const bundle = String(config.projectConfig.testEnvironmentOptions.packages);
    const loadPackages = packagesIn(bundle).runInContext(
      /** @type {import('node:vm').Context} */ (this.context),
    );
    Object.defineProperty(this.global, 'loadPackages', { value: loadPackages });
  }
}
