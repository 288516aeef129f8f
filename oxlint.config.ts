import { fileURLToPath } from 'node:url';
import { defineConfig } from 'oxlint';
import { ensureClientTypes } from './tools/build/client-types.ts';
import { everywhere, inScripts, inTypeScript } from './tools/lint/rule-sets.ts';
import {
  ciphers,
  defaultExport,
  environment,
  octal,
  privateKeyword,
  skippedTest,
  subtleCiphers,
} from './tools/lint/refusals.ts';

// Rules that use types judge users of the client by them.
await ensureClientTypes();

const specs = [
  '**/*.spec.ts',
  '**/*.e2e.ts',
  'apps/e2e/**/*.ts',
  'apps/*/src/testing/**/*.ts',
  'libs/testing/**/*.ts',
];

/** What begins with `_` is there for its place; what stands beside `...rest` is there to be left out. */
const unused = {
  argsIgnorePattern: '^_',
  destructuredArrayIgnorePattern: '^_',
  varsIgnorePattern: '^_$',
  ignoreRestSiblings: true,
  reportVarsOnlyUsedAsTypes: true,
};

/** For values without a type, such as JSON of other programs and answers in tests. */
const untyped = {
  'typescript/no-unsafe-assignment': 'off',
  'typescript/no-unsafe-member-access': 'off',
  'typescript/no-unsafe-argument': 'off',
  'typescript/no-unsafe-return': 'off',
  'typescript/no-unsafe-call': 'off',
} as const;

export default defineConfig({
  ignorePatterns: [
    '**/dist/',
    '**/node_modules/',
    '.nx/',
    '.cache/',
    '.local/',
    'coverage/',
    '**/*.d.mts',
    'libs/client/src/generated/',
  ],
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  plugins: ['typescript'],
  // Absolute: specs extend this configuration in other folders.
  jsPlugins: [fileURLToPath(new URL('./tools/lint/plugin.ts', import.meta.url))],
  categories: { correctness: 'off' },
  rules: {
    ...everywhere,
    'no-unused-vars': ['error', unused],
    'no-irregular-whitespace': ['error', { skipRegExps: false, skipTemplates: false }],
  },
  overrides: [
    {
      files: ['**/*.js', '**/*.mjs', '**/*.cjs'],
      rules: { ...inScripts, 'vaultsvc/syntax': ['error', octal] },
    },
    {
      files: ['**/*.cjs'],
      env: { commonjs: true },
      globals: { process: 'readonly', setInterval: 'readonly', __dirname: 'readonly' },
    },
    {
      files: ['**/*.ts', '**/*.tsx'],
      rules: {
        ...inTypeScript,
        // `const { resolve } = …` of plain records is common and safe; classes of ours bind where they hand methods out.
        'typescript/unbound-method': ['error', { ignoreStatic: true }],
        'typescript/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
        'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
        eqeqeq: 'error',
        'no-console': 'error',
        'max-lines-per-function': ['error', { max: 45, skipBlankLines: false, skipComments: false }],
      },
    },
    {
      // A test reads as one sequence, and a block of tests is one function.
      files: ['**/*.spec.ts', '**/*.e2e.ts'],
      rules: { 'max-lines-per-function': 'off' },
    },
    {
      files: ['apps/**/*.ts', 'apps/**/*.tsx', 'libs/**/*.ts', 'tools/**/*.ts'],
      rules: {
        'vaultsvc/imports': 'error',
        'vaultsvc/folders': 'error',
        'vaultsvc/cycles': 'error',
        'vaultsvc/file-names': 'error',
        'vaultsvc/syntax': ['error', defaultExport, privateKeyword, ...environment, subtleCiphers],
        'no-restricted-imports': ['error', { paths: ciphers }],
      },
    },
    {
      files: ['libs/crypto/**/*.ts'],
      rules: {
        'no-restricted-imports': 'off',
        'vaultsvc/syntax': ['error', defaultExport, privateKeyword, ...environment],
      },
    },
    {
      // A browser cannot load libs/crypto, which uses Node.
      files: ['apps/web/src/places/vaults/open/sealed-uploads.ts'],
      rules: { 'vaultsvc/syntax': ['error', defaultExport, privateKeyword, ...environment] },
    },
    {
      // Users configure the command line by variables of their system, such as XDG_CONFIG_HOME; it is no service.
      files: ['libs/config/**/*.ts', 'libs/cli/src/environment.ts'],
      rules: { 'vaultsvc/syntax': ['error', defaultExport, privateKeyword, subtleCiphers] },
    },
    {
      files: ['tools/**/*.ts'],
      rules: {
        'vaultsvc/syntax': ['error', defaultExport, privateKeyword],
        'no-restricted-imports': 'off',
        'no-console': 'off',
      },
    },
    {
      // Jest and oxlint load their default exports.
      files: [
        'tools/lint/plugin.ts',
        'tools/test/{e2e-setup,e2e-teardown,global-setup,global-teardown}.ts',
        'tools/test/{file-order,generated-module-transform,run-reporter}.ts',
        'tools/test/{worker-environment,worker-runtime}.ts',
        'tools/mutants/{asked-order,first-failure}.ts',
      ],
      rules: { 'vaultsvc/syntax': ['error', privateKeyword] },
    },
    {
      // A test checks ours against an independent hand, looks into answers without a type, and must never be left out.
      files: [...specs, 'tools/**/*.spec.ts'],
      rules: {
        ...untyped,
        'no-restricted-imports': 'off',
        'typescript/no-base-to-string': 'off',
        'typescript/unbound-method': 'off',
        'typescript/restrict-template-expressions': 'off',
        'vaultsvc/syntax': ['error', defaultExport, privateKeyword, skippedTest],
      },
    },
    { files: ['tools/**/*.ts'], rules: untyped },
  ],
});
