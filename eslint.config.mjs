import { createProjectGraphAsync } from '@nx/devkit';
import nx from '@nx/eslint-plugin';
import { builtinRules } from 'eslint/use-at-your-own-risk';
import tseslint from 'typescript-eslint';
import { cycleViolation } from './tools/lint/cycles.ts';
import { fileNamesRule } from './tools/lint/file-names.rule.ts';
import { folderViolation } from './tools/lint/folders.ts';
import { importRule } from './tools/lint/imports.rule.ts';
import { importViolation, nxConstraints } from './tools/lint/layers.ts';
import { filesToLint, typedProjects } from './tools/lint/lint-scope.ts';
import { ensureClientTypes } from './tools/build/client-types.ts';

const linted = filesToLint(process.argv.slice(2));

// Nx's rule reads a cached graph, and passes everything where there is none yet. It judges neither specs nor tools.
process.env.NX_DAEMON ??= 'false';
if (!linted?.every((file) => /^tools\/|\.(spec|e2e)\.ts$/.test(file)))
  await createProjectGraphAsync({ exitOnError: false, resetDaemonClient: true });

// Rules that use types judge users of the client by them.
await ensureClientTypes();

/** What @eslint/js calls recommended, taken from the rules themselves: one package less to pin. */
const recommended = Object.fromEntries(
  [...builtinRules].filter(([, { meta }]) => meta?.docs?.recommended).map(([name]) => [name, 'error']),
);

const specs = [
  '**/*.spec.ts',
  '**/*.e2e.ts',
  'apps/e2e/**/*.ts',
  'apps/*/src/testing/**/*.ts',
  'libs/testing/**/*.ts',
];

/** Everything of node:crypto that turns a key into a ciphertext, or one key into another. */
const ciphers = [
  'createCipheriv',
  'createDecipheriv',
  'createDiffieHellman',
  'createDiffieHellmanGroup',
  'createECDH',
  'createHmac',
  'diffieHellman',
  'hkdf',
  'hkdfSync',
  'pbkdf2',
  'pbkdf2Sync',
  'privateDecrypt',
  'privateEncrypt',
  'publicDecrypt',
  'publicEncrypt',
  'scrypt',
  'scryptSync',
];

/** What begins with `_` is there for its place; what stands beside `...rest` is there to be left out. */
const unused = {
  argsIgnorePattern: '^_',
  destructuredArrayIgnorePattern: '^_',
  varsIgnorePattern: '^_$',
  ignoreRestSiblings: true,
};

const cipherMessage = 'Ciphers, MACs and key derivation live in libs/crypto.';

const noDefaultExport = {
  selector: 'ExportDefaultDeclaration, ExportSpecifier[exported.name="default"]',
  message: 'Name what you export: one name everywhere, and grep finds it.',
};
const noEnvironment = [
  {
    selector: 'MemberExpression[object.name="process"][property.name="env"]',
    message: 'Settings are declared, checked and read through libs/config.',
  },
  {
    selector: 'VariableDeclarator[init.name="process"] Property[key.name="env"]',
    message: 'Settings are declared, checked and read through libs/config.',
  },
  {
    selector: 'ImportDeclaration[source.value=/^(node:)?process$/]',
    message: 'Use the global; settings are read through libs/config.',
  },
];
const noPrivateKeyword = {
  selector:
    'MethodDefinition[accessibility="private"]:not([kind="constructor"]), PropertyDefinition[accessibility="private"]',
  message: 'Use a #private member. Constructor parameter properties stay `private readonly`.',
};
const noSubtleCiphers = {
  selector:
    'MemberExpression[object.property.name="subtle"][property.name=/^(encrypt|decrypt|derive|wrap|unwrap)/]',
  message: cipherMessage,
};

const ourRules = {
  imports: importRule(importViolation),
  folders: importRule(folderViolation),
  cycles: importRule(cycleViolation),
  'file-names': fileNamesRule,
};

/** @param {string} name @returns {object} */
const cipherImport = (name) => ({ name, importNames: ciphers, message: cipherMessage });

export default tseslint.config(
  {
    ignores: [
      '**/dist/',
      '**/node_modules/',
      '.nx/',
      '.cache/',
      '.local/',
      'coverage/',
      '**/*.d.mts',
      'libs/client/src/generated/',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    rules: {
      ...recommended,
      'no-unused-vars': ['error', unused],
    },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: { globals: { process: 'readonly' } },
  },
  {
    files: ['**/*.cjs'],
    languageOptions: {
      sourceType: 'commonjs',
      globals: { process: 'readonly', setInterval: 'readonly', __dirname: 'readonly' },
    },
  },
  {
    // An old Node must be able to parse it.
    files: ['tools/run.cjs'],
    languageOptions: { ecmaVersion: 5 },
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: {
        // Listed: the project service needs a fifth more processor time.
        project: typedProjects(linted),
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', unused],
      // `const { resolve } = …` of plain records is common and safe; classes of ours bind where they hand methods out.
      '@typescript-eslint/unbound-method': ['error', { ignoreStatic: true }],
      // A handler is async because its contract says so, whether or not this one waits.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // The two compilers infer differently in places; an assertion that one needs may look idle to the other.
      '@typescript-eslint/no-unnecessary-type-assertion': 'off',
      '@typescript-eslint/only-throw-error': 'error',
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['apps/**/*.ts', 'libs/**/*.ts'],
    ignores: specs,
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        { allow: [], enforceBuildableLibDependency: false, depConstraints: nxConstraints() },
      ],
    },
  },
  {
    files: ['apps/**/*.ts', 'libs/**/*.ts', 'tools/**/*.ts'],
    plugins: { vaultsvc: { rules: ourRules } },
    rules: {
      'vaultsvc/imports': 'error',
      'vaultsvc/folders': 'error',
      'vaultsvc/cycles': 'error',
      'vaultsvc/file-names': 'error',
      'no-restricted-syntax': ['error', noDefaultExport, noPrivateKeyword, ...noEnvironment, noSubtleCiphers],
      'no-restricted-imports': ['error', { paths: [cipherImport('node:crypto'), cipherImport('crypto')] }],
    },
  },
  {
    files: ['libs/crypto/**/*.ts'],
    rules: {
      'no-restricted-imports': 'off',
      'no-restricted-syntax': ['error', noDefaultExport, noPrivateKeyword, ...noEnvironment],
    },
  },
  {
    files: ['libs/config/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', noDefaultExport, noPrivateKeyword, noSubtleCiphers] },
  },
  {
    // Users configure it by the variables of their system, such as XDG_CONFIG_HOME; it is no service.
    files: ['libs/cli/src/environment.ts'],
    rules: { 'no-restricted-syntax': ['error', noDefaultExport, noPrivateKeyword, noSubtleCiphers] },
  },
  {
    files: ['tools/**/*.ts'],
    rules: {
      'no-restricted-syntax': ['error', noDefaultExport, noPrivateKeyword],
      'no-restricted-imports': 'off',
      'no-console': 'off',
    },
  },
  {
    // Jest loads their default exports.
    files: [
      'tools/test/{e2e-setup,e2e-teardown,global-setup,global-teardown}.ts',
      'tools/test/{file-order,generated-module-transform,run-reporter}.ts',
      'tools/test/{worker-environment,worker-runtime}.ts',
    ],
    rules: { 'no-restricted-syntax': ['error', noPrivateKeyword] },
  },
  {
    // A test checks ours against an independent hand, looks into answers without a type, and must never be left out.
    files: [...specs, 'tools/**/*.spec.ts'],
    rules: {
      'no-restricted-imports': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-base-to-string': 'off',
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/restrict-template-expressions': 'off',
      'no-restricted-syntax': [
        'error',
        noDefaultExport,
        noPrivateKeyword,
        {
          selector:
            'CallExpression > MemberExpression.callee[object.name=/^(it|test|describe)$/][property.name=/^(skip|only|todo)$/]',
          message: 'A test that does not run proves nothing.',
        },
      ],
    },
  },
  {
    files: ['tools/**/*.ts', 'apps/e2e/**/*.ts', 'libs/testing/**/*.ts'],
    rules: {
      // Much of what they read is JSON of other programs, which has no types.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
    },
  },
);
