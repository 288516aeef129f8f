import { beforeAll, describe, expect, it } from '@jest/globals';
import { layers } from './layers.ts';
import { lintTexts } from './lint-texts.ts';
import type { Finding } from './lint-texts.ts';

interface Fixture {
  readonly says: string;
  readonly path: string;
  readonly text: string;
  /** The rule that must refuse it; none where the text must pass. */
  readonly refusedBy?: string;
}

const product = 'libs/crypto/src/fixture.ts';
const imports = 'vaultsvc/imports';
const from = (specifier: string) => `import { thing } from '${specifier}';\nexport const own = thing;\n`;

const forbidden: Fixture[] = [
  {
    says: 'a lib that imports an app by name',
    path: product,
    text: from('@vaultsvc/app-sparks'),
    refusedBy: imports,
  },
  {
    says: 'a lib that imports an app by path',
    path: product,
    text: from('../../../apps/sparks/src/config.js'),
    refusedBy: imports,
  },
  {
    says: 'a service that imports the definition of another one',
    path: 'apps/sparks/src/fixture.ts',
    text: from('@vaultsvc/app-vaults/service-definition'),
    refusedBy: imports,
  },
  {
    says: 'the app of all services that imports more of one than its definition',
    path: 'apps/all/src/fixture.ts',
    text: from('@vaultsvc/app-vaults/config'),
    refusedBy: imports,
  },
  {
    says: 'a lib that re-exports an app',
    path: product,
    text: `export * from '../../../apps/sparks/src/config.js';\n`,
    refusedBy: imports,
  },
  {
    says: 'a lib that imports a type of an app',
    path: product,
    text: `import type { Thing } from '@vaultsvc/app-sparks';\nexport type Own = Thing;\n`,
    refusedBy: imports,
  },
  {
    says: 'a lib that imports an app at run time',
    path: product,
    text: `export const own = () => import('@vaultsvc/app-sparks');\n`,
    refusedBy: imports,
  },
  {
    says: 'an app that imports another app',
    path: 'apps/vaults/src/fixture.ts',
    text: from('../../sparks/src/config.js'),
    refusedBy: imports,
  },
  {
    says: 'a gateway that imports the database',
    path: 'apps/gateway/src/fixture.ts',
    text: from('@vaultsvc/database'),
    refusedBy: imports,
  },
  ...['aead', 'wrap', 'data-keys', 'kms', 'kdf'].map((part) => ({
    says: `a gateway that imports crypto/${part}`,
    path: 'apps/gateway/src/fixture.ts',
    text: from(`@vaultsvc/crypto/${part}`),
    refusedBy: imports,
  })),
  {
    says: 'a web application that imports more than the client',
    path: 'apps/web/src/ui/fixture.tsx',
    text: from('@vaultsvc/contracts'),
    refusedBy: imports,
  },
  {
    says: 'contracts that import any lib',
    path: 'libs/contracts/src/fixture.ts',
    text: from('@vaultsvc/config'),
    refusedBy: imports,
  },
  {
    says: 'a config that imports any lib',
    path: 'libs/config/src/fixture.ts',
    text: from('@vaultsvc/contracts'),
    refusedBy: imports,
  },
  {
    says: 'a lib that imports the layer above it',
    path: 'libs/database/src/fixture.ts',
    text: from('@vaultsvc/messaging'),
    refusedBy: imports,
  },
  {
    says: 'a cycle between packages',
    path: 'libs/config/src/fixture.ts',
    text: from('@vaultsvc/messaging'),
    refusedBy: imports,
  },
  {
    says: 'a lib without a line in the table that imports another',
    path: 'libs/fresh/src/fixture.ts',
    text: from('@vaultsvc/config'),
    refusedBy: imports,
  },
  {
    says: 'an app without a line in the table that imports a lib',
    path: 'apps/fresh/src/fixture.ts',
    text: from('@vaultsvc/config'),
    refusedBy: imports,
  },
  {
    says: 'a lib imported at run time',
    path: 'apps/sparks/src/fixture.ts',
    text: `export const own = () => import('@vaultsvc/config');\n`,
    refusedBy: imports,
  },
  {
    says: 'an app that is required',
    path: product,
    text: `export const own: unknown = require('@vaultsvc/app-sparks');\n`,
    refusedBy: imports,
  },
  {
    says: 'a package that imports itself by its name',
    path: 'libs/config/src/fixture.ts',
    text: from('@vaultsvc/config'),
    refusedBy: imports,
  },
  ...['/libs/config/src/secret.js', 'libs/config/src/secret.js', '../../../package.json'].map(
    (specifier) => ({
      says: `a file outside of packages by its path, ${specifier}`,
      path: 'apps/sparks/src/fixture.ts',
      text: from(specifier),
      refusedBy: imports,
    }),
  ),
  {
    says: 'messaging that imports ciphers',
    path: 'libs/messaging/src/fixture.ts',
    text: from('@vaultsvc/crypto/aead'),
    refusedBy: imports,
  },
  {
    says: 'a transparency log that imports ciphers',
    path: 'libs/transparency/src/fixture.ts',
    text: from('@vaultsvc/crypto/aead'),
    refusedBy: imports,
  },
  {
    says: 'a product that imports the test harness',
    path: 'apps/sparks/src/fixture.ts',
    text: from('@vaultsvc/testing/harness'),
    refusedBy: imports,
  },
  {
    says: 'a product that imports its own test helpers',
    path: 'apps/sparks/src/fixture.ts',
    text: from('./testing/platform.js'),
    refusedBy: imports,
  },
  {
    says: 'a product that imports tools',
    path: 'apps/sparks/src/fixture.ts',
    text: from('../../../tools/kms/faults.ts'),
    refusedBy: imports,
  },
  {
    says: 'a lib imported by a path',
    path: 'apps/sparks/src/fixture.ts',
    text: from('../../../libs/config/src/secret.js'),
    refusedBy: imports,
  },
  {
    says: 'a test harness that imports an app by path',
    path: 'libs/testing/src/fixture.ts',
    text: from('../../../apps/sparks/src/config.js'),
    refusedBy: imports,
  },
  ...['libs/testing/src/fixture.ts', 'libs/messaging/src/fixture.spec.ts'].map((path) => ({
    says: `whole services started in ${path}`,
    path,
    text: from('@vaultsvc/tools-testing/platform'),
    refusedBy: imports,
  })),
  {
    says: 'a product that starts whole services',
    path: 'apps/sparks/src/fixture.ts',
    text: from('@vaultsvc/tools-testing/platform'),
    refusedBy: imports,
  },
  {
    says: 'an end-to-end test that imports code of a service',
    path: 'apps/e2e/src/fixture.e2e.ts',
    text: from('../../sparks/src/config.js'),
    refusedBy: imports,
  },
  {
    says: 'a folder that imports one after it',
    path: 'apps/sparks/src/link/fixture.ts',
    text: from('../spark/spark.repository.js'),
    refusedBy: 'vaultsvc/folders',
  },
  {
    says: 'a folder that imports a type of one after it',
    path: 'apps/auth/src/names/fixture.ts',
    text: `import type { AccountRow } from '../accounts/account.entity.js';\nexport type Own = AccountRow;\n`,
    refusedBy: 'vaultsvc/folders',
  },
  {
    says: 'a folder that no table lists',
    path: 'apps/sparks/src/fresh/fixture.ts',
    text: from('../config.js'),
    refusedBy: 'vaultsvc/folders',
  },
  {
    says: 'a cycle between two files',
    path: 'apps/sparks/src/link/link-sealer.ts',
    text: from('./invite.repository.js'),
    refusedBy: 'vaultsvc/cycles',
  },
  {
    says: 'a cycle of types between two files',
    path: 'libs/database/src/statement.ts',
    text: `import type { Database } from './database.js';\nexport type Own = Database;\n`,
    refusedBy: 'vaultsvc/cycles',
  },
  {
    says: 'a cycle between folders of a lib',
    path: 'libs/crypto/src/encoding/fixture.ts',
    text: from('../tokens/index.js'),
    refusedBy: 'vaultsvc/cycles',
  },
  {
    says: 'a cycle between test helpers',
    path: 'libs/testing/src/waiting/fixture.ts',
    text: from('../fixtures/index.js'),
    refusedBy: 'vaultsvc/cycles',
  },
  {
    says: 'process.env',
    path: 'apps/sparks/src/fixture.ts',
    text: `export const own = process.env.HOME;\n`,
    refusedBy: 'vaultsvc/syntax',
  },
  {
    says: 'env destructured from process',
    path: 'apps/sparks/src/fixture.ts',
    text: `const { env } = process;\nexport const own = env.HOME;\n`,
    refusedBy: 'vaultsvc/syntax',
  },
  ...['createCipheriv', 'createDecipheriv', 'hkdfSync', 'createHmac'].map((name) => ({
    says: `${name} outside libs/crypto`,
    path: 'apps/sparks/src/fixture.ts',
    text: `import { ${name} } from 'node:crypto';\nexport const own = ${name};\n`,
    refusedBy: 'no-restricted-imports',
  })),
  {
    says: 'a namespace import of node:crypto',
    path: 'apps/sparks/src/fixture.ts',
    text: `import * as crypto from 'node:crypto';\nexport const own = crypto;\n`,
    refusedBy: 'no-restricted-imports',
  },
  {
    says: 'the ciphers of Web Crypto',
    path: 'apps/sparks/src/fixture.ts',
    text: `export const own = () => globalThis.crypto.subtle.encrypt;\n`,
    refusedBy: 'vaultsvc/syntax',
  },
  {
    says: 'any',
    path: product,
    text: `export const own = (value: any) => String(value);\n`,
    refusedBy: 'typescript/no-explicit-any',
  },
  {
    says: 'a default export',
    path: product,
    text: `const own = 1;\nexport default own;\n`,
    refusedBy: 'vaultsvc/syntax',
  },
  {
    says: 'a skipped test',
    path: 'apps/sparks/src/fixture.spec.ts',
    text: `it.skip('says', () => undefined);\n`,
    refusedBy: 'vaultsvc/syntax',
  },
  {
    says: 'a file with two suffixes',
    path: 'apps/sparks/src/read.handler.repository.ts',
    text: `export const own = 1;\n`,
    refusedBy: 'vaultsvc/file-names',
  },
];

const allowed: Fixture[] = [
  { says: 'an app that imports libs', path: 'apps/sparks/src/fixture.ts', text: from('@vaultsvc/database') },
  {
    says: 'a file of the same package, at run time',
    path: 'apps/sparks/src/fixture.ts',
    text: `export const own = () => import('./config.js');\n`,
  },
  {
    says: 'a gateway that imports a MAC',
    path: 'apps/gateway/src/fixture.ts',
    text: from('@vaultsvc/crypto/mac'),
  },
  {
    says: 'messaging that imports the MAC',
    path: 'libs/messaging/src/fixture.ts',
    text: from('@vaultsvc/crypto/mac'),
  },
  { says: 'a file of the same folder', path: 'apps/sparks/src/fixture.ts', text: from('./config.js') },
  {
    says: 'a folder that imports one before it',
    path: 'apps/sparks/src/spark/fixture.ts',
    text: from('../link/link-sealer.js'),
  },
  {
    says: 'a spec of a folder that imports one after it',
    path: 'apps/sparks/src/link/fixture.spec.ts',
    text: from('../spark/spark.repository.js'),
  },
  {
    says: 'a spec that imports the harness',
    path: 'apps/sparks/src/fixture.spec.ts',
    text: from('@vaultsvc/testing/harness'),
  },
  {
    says: 'a spec that starts the whole platform',
    path: 'apps/sparks/src/fixture.spec.ts',
    text: from('@vaultsvc/tools-testing/platform'),
  },
  {
    says: 'the app of all services that imports the definition of one',
    path: 'apps/all/src/fixture.ts',
    text: from('@vaultsvc/app-vaults/service-definition'),
  },
  {
    says: 'tools that start services of apps',
    path: 'tools/testing/src/fixture.ts',
    text: from('../../../apps/sparks/src/config.js'),
  },
  {
    says: 'process.env in libs/config',
    path: 'libs/config/src/fixture.ts',
    text: `export const own = process.env.HOME;\n`,
  },
  {
    says: 'ciphers in libs/crypto',
    path: product,
    text: `import { createCipheriv } from 'node:crypto';\nexport const own = createCipheriv;\n`,
  },
  {
    says: 'random bytes anywhere',
    path: 'apps/sparks/src/fixture.ts',
    text: `import { randomBytes } from 'node:crypto';\nexport const own = randomBytes;\n`,
  },
];

const fixtures = [...forbidden, ...allowed];
let findings: Finding[][];
const findingsOf = (fixture: Fixture) => findings[fixtures.indexOf(fixture)] ?? [];

beforeAll(() => {
  // What fixtures import does not exist, so it has no types.
  findings = lintTexts(fixtures, { hasTypes: false });
});

describe('The linter refuses', () => {
  it.each(forbidden)('$says', (fixture) => {
    expect(findingsOf(fixture).map(({ rule }) => rule)).toContain(fixture.refusedBy);
  });

  it.each([
    ['a lib that imports an app by name', /^No package imports an app \(@vaultsvc\/app-sparks\)\.$/],
    ['a gateway that imports the database', /^apps\/gateway may import .*; not database\.$/],
    ['a folder that imports one after it', /^link comes before spark /],
    ['a cycle between two files', /^This import closes the cycle /],
    ['process.env', 'Settings are declared, checked and read through libs/config.'],
    ['a default export', 'Name what you export: one name everywhere, and grep finds it.'],
    ['a namespace import of node:crypto', /Ciphers, MACs and key derivation live in libs\/crypto\./],
    ['a skipped test', 'A test that does not run proves nothing.'],
    ['a file with two suffixes', /: name files in kebab-case, with one suffix of /],
  ])('%s, and says why', (says, sentence) => {
    const index = fixtures.findIndex((fixture) => fixture.says === says);
    expect(findings[index]).toContainEqual({
      rule: fixtures[index]?.refusedBy,
      message: expect.stringMatching(sentence),
    });
  });
});

describe('The linter allows', () => {
  it.each(allowed)('$says', (fixture) => {
    expect(findingsOf(fixture)).toEqual([]);
  });
});

describe('The layers of libs', () => {
  it('have no cycle', () => {
    const depth = (lib: string, path: readonly string[]): void => {
      if (path.includes(lib)) throw new Error(`cycle: ${[...path, lib].join(' → ')}`);
      for (const next of layers[lib] ?? []) depth(next.split('/')[0] ?? '', [...path, lib]);
    };
    for (const lib of Object.keys(layers)) expect(() => depth(lib, [])).not.toThrow();
  });

  it('list existing libs only', () => {
    for (const under of Object.values(layers).flat())
      expect(Object.keys(layers)).toContain(under.split('/')[0]);
  });
});
