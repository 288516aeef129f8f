import type { Refusal } from './syntax.rule.ts';

/** Everything of node:crypto that turns a key into a ciphertext, or one key into another. */
const cipherFunctions = [
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

const cipherMessage = 'Ciphers, MACs and key derivation live in libs/crypto.';

/** The paths of `no-restricted-imports` outside of libs/crypto. */
export const ciphers = ['node:crypto', 'crypto'].map((name) => ({
  name,
  importNames: cipherFunctions,
  message: cipherMessage,
}));

export const subtleCiphers: Refusal = {
  selector:
    'MemberExpression[object.property.name="subtle"][property.name=/^(encrypt|decrypt|derive|wrap|unwrap)/]',
  message: cipherMessage,
};

export const defaultExport: Refusal = {
  selector: 'ExportDefaultDeclaration, ExportSpecifier[exported.name="default"]',
  message: 'Name what you export: one name everywhere, and grep finds it.',
};

export const environment: readonly Refusal[] = [
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

export const privateKeyword: Refusal = {
  selector:
    'MethodDefinition[accessibility="private"]:not([kind="constructor"]), PropertyDefinition[accessibility="private"]',
  message: 'Use a #private member. Constructor parameter properties stay `private readonly`.',
};

/** `no-octal` of ESLint, which oxlint lacks. Files in strict mode do not parse with one. */
export const octal: Refusal = {
  selector: 'Literal[raw=/^0[0-7]/]',
  message: 'Write an octal number with 0o.',
};

export const skippedTest: Refusal = {
  selector:
    'CallExpression > MemberExpression.callee[object.name=/^(it|test|describe)$/][property.name=/^(skip|only|todo)$/]',
  message: 'A test that does not run proves nothing.',
};
