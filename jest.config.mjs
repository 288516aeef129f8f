import { readFileSync } from 'node:fs';

/** One compiler setting for builds and tests: what runs under Jest is what ships. */
const swc = JSON.parse(readFileSync(new URL('./.swcrc', import.meta.url), 'utf8'));
delete swc.$schema;

export default {
  rootDir: '.',
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/tools'],
  testMatch: ['**/*.spec.ts', '**/*.e2e.ts'],
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  testEnvironmentOptions: { customExportConditions: ['@vaultsvc/source', 'node', 'node-addons'] },
  transform: { '^.+\\.ts$': ['@swc/jest', { ...swc, swcrc: false }] },
  globalSetup: '<rootDir>/tools/test/global-setup.mjs',
  globalTeardown: '<rootDir>/tools/test/global-teardown.mjs',
  setupFiles: ['<rootDir>/tools/test/setup-file.mjs'],
  testTimeout: 30_000,
  maxWorkers: 2,
  workerIdleMemoryLimit: '400MB',
};
