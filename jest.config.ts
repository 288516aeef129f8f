import { readFileSync } from 'node:fs';

/** One compiler setting for builds and tests: what runs under Jest is what ships. */
const { $schema: _, ...swc } = JSON.parse(
  readFileSync(new URL('./.swcrc', import.meta.url), 'utf8'),
) as Record<string, unknown>;

const shared = {
  rootDir: '.',
  testEnvironment: '<rootDir>/tools/test/worker-environment.ts',
  runtime: '<rootDir>/tools/test/worker-runtime.ts',
  extensionsToTreatAsEsm: ['.ts'],
  // Built packages have the names of their sources.
  modulePathIgnorePatterns: ['<rootDir>/libs/(?:client|cli)/dist/'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  testEnvironmentOptions: { customExportConditions: ['@vaultsvc/source', 'node', 'node-addons'] },
  transform: {
    'apps/[^/]+/src/[^.]+/(page-module|page-script|reference-assets|guides)\\.ts$':
      '<rootDir>/tools/test/generated-module-transform.ts',
    '^.+\\.ts$': ['@swc/jest', { ...swc, swcrc: false }],
  },
  setupFiles: ['<rootDir>/tools/test/setup-file.ts'],
};

export default {
  testTimeout: 120_000, // a test that hangs fails earlier, by `eventually`; a busy machine is slow
  maxWorkers: 3, // for two cores: half of a spec's time is waiting for servers; a fourth one gains nothing
  // A worker that is restarted loads packages and modules again.
  workerIdleMemoryLimit: '1200MB',
  testSequencer: '<rootDir>/tools/test/file-order.ts',
  projects: [
    {
      ...shared,
      displayName: 'spec',
      roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/tools'],
      testMatch: ['**/*.spec.ts'],
      globalSetup: '<rootDir>/tools/test/global-setup.ts',
      globalTeardown: '<rootDir>/tools/test/global-teardown.ts',
    },
    {
      ...shared,
      displayName: 'e2e',
      roots: ['<rootDir>/apps/e2e'],
      testMatch: ['**/*.e2e.ts'],
      setupFiles: [...shared.setupFiles, '<rootDir>/tools/test/e2e-setup-file.ts'],
      globalSetup: '<rootDir>/tools/test/e2e-setup.ts',
      globalTeardown: '<rootDir>/tools/test/e2e-teardown.ts',
    },
  ],
};
