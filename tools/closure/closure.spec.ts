import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { closureOf } from './closure.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'closure-'));
});
afterEach(() => rm(root, { recursive: true }));

async function write(files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, 'src', name)), { recursive: true });
    await writeFile(join(root, 'src', name), text);
  }
}

const reached = (name: string) =>
  closureOf(join(root, 'src', name)).map((path) => relative(join(root, 'src'), path));

describe('the closure of a file', () => {
  it('has what it imports, values and types, statically and dynamically, and itself', async () => {
    await write({
      'start.ts': `import { a } from './a.js';\nimport type { B } from './b.js';\nexport const c = () => import('./deep/c.js');`,
      'a.ts': `import { x } from 'package';\nexport * from './start.js';`,
      'b.ts': `export type B = import('./d.js').D;`,
      'deep/c.ts': '',
      'd.ts': '',
      'unrelated.ts': `import './start.js';`,
    });
    expect(reached('start.ts')).toEqual(['a.ts', 'b.ts', 'd.ts', 'deep/c.ts', 'start.ts']);
  });

  it('has the classes that a provider names for a token that it injects', async () => {
    await write({
      'start.ts': `import { Token } from './token.js';\nclass Start { constructor(private readonly one: Token, @Inject(OTHER) other: unknown) {} }`,
      'token.ts': `export abstract class Token {}`,
      'one.ts': `export class One {}`,
      'two.ts': `import './three.js';\nexport class Two {}`,
      'three.ts': '',
      'four.ts': `export class Four {}`,
      'all.module.ts': `import { Token } from './token.js';\nimport { One } from './one.js';\nimport { Two } from './two.js';\nimport { Four } from './four.js';\nconst classes = [Two];\nconst providers = [Four, { provide: Token, useClass: One }, { provide: OTHER, useFactory: (...all) => all, inject: classes }];`,
    });
    expect(reached('start.ts')).toEqual(['one.ts', 'start.ts', 'three.ts', 'token.ts', 'two.ts']);
  });
});

describe('a handler of notify can be read without the providers', () => {
  const filesOf = (name: string) =>
    closureOf(fileURLToPath(new URL(`../../apps/notify/src/sends/${name}`, import.meta.url))).length;

  it('a send reaches at most 15 files', () => {
    expect(filesOf('send-notification.handler.ts')).toBeLessThanOrEqual(15);
  });

  it('a replay reaches at most 6 files', () => {
    expect(filesOf('report/replay-delivery.handler.ts')).toBeLessThanOrEqual(6);
  });
});
