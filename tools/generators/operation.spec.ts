import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readRequest } from './names.mjs';

const workspace = resolve('.');
let copy: string;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'vaultsvc-generated-'));
  for (const folder of ['apps/sparks/src', 'apps/integrations/src', 'libs', 'tools']) {
    cpSync(join(workspace, folder), join(copy, folder), { recursive: true });
  }
  for (const file of ['tsconfig.base.json', '.prettierrc.json', 'package.json'])
    cpSync(join(workspace, file), join(copy, file));
  linkPackages();
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Packages of others as they are; our libs are those of the copy. */
function linkPackages(): void {
  const modules = join(copy, 'node_modules');
  mkdirSync(join(modules, '@vaultsvc'), { recursive: true });
  for (const name of readdirSync(join(workspace, 'node_modules'))) {
    if (name !== '@vaultsvc') symlinkSync(join(workspace, 'node_modules', name), join(modules, name));
  }
  for (const lib of readdirSync(join(copy, 'libs')))
    symlinkSync(join(copy, 'libs', lib), join(modules, '@vaultsvc', lib));
}

function generate(...args: string[]) {
  const script = join(copy, 'tools/generators/operation.mjs');
  return spawnSync(process.execPath, [script, ...args], {
    cwd: copy,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
}

function typeErrors(files: string[]): string {
  writeFileSync(
    join(copy, 'tsconfig.json'),
    JSON.stringify({
      extends: './tsconfig.base.json',
      compilerOptions: { noEmit: true, allowJs: true },
      files,
    }),
  );
  const tsc = join(workspace, 'node_modules/.bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', copy], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  return stdout;
}

describe('A generated operation', () => {
  it('compiles with its contract, handler, spec and lists, for every method', () => {
    const commands = [
      ['sparks.inspect-spark', 'GET', '/v1/sparks/{spark_id}/inspection'],
      ['sparks.rename-spark', 'PATCH', '/v1/sparks/{spark_id}/name/{part}'],
      ['sparks.forget-sparks', 'DELETE', '/v1/forgotten-sparks'],
      ['integrations.create-hook', 'POST', '/v1/hooks'],
    ];
    for (const command of commands) expect(generate(...command)).toMatchObject({ status: 0, stderr: '' });
    const files = ['inspect-spark', 'rename-spark', 'forget-sparks']
      .map((name) => `apps/sparks/src/spark/${name}`)
      .concat('apps/integrations/src/hook/create-hook')
      .flatMap((path) => [`${path}.handler.ts`, `${path}.spec.ts`]);
    const lists = [
      'apps/sparks/src/sparks.module.ts',
      'apps/integrations/src/integrations.module.ts',
      'libs/contracts/src/catalog/index.ts',
    ];
    expect(typeErrors([...files, ...lists])).toBe('');
  });

  it('names an id by its kind', () => {
    const text = readFileSync(join(copy, 'libs/contracts/src/sparks/inspect-spark.ts'), 'utf8');
    expect(text).toContain(`@IdOf('spk') spark_id: string;`);
  });

  it('is listed: exported, provided, routed', () => {
    const read = (path: string) => readFileSync(join(copy, path), 'utf8');
    expect(read('libs/contracts/src/integrations/index.ts')).toContain(`export * from './create-hook.js';`);
    expect(read('apps/integrations/src/integrations.module.ts')).toContain('CreateHook]');
    expect(read('libs/contracts/src/catalog/index.ts')).toContain('integrations');
  });

  it('overwrites nothing', () => {
    const again = generate('integrations.create-hook', 'POST', '/v1/hooks');
    expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining('exists already') });
  });
});

describe('The generator refuses', () => {
  it.each([
    { says: 'a name without a noun', words: ['sparks.read', 'GET', '/v1/sparks'] },
    { says: 'a method that no contract has', words: ['sparks.read-spark', 'HEAD', '/v1/sparks'] },
    { says: 'a path outside /v1', words: ['sparks.read-spark', 'GET', '/sparks'] },
    { says: 'a folder that climbs', words: ['sparks.read-spark', 'GET', '/v1/sparks'], folder: '../auth' },
  ])('$says', ({ words, folder }) => {
    expect(() => readRequest(words, folder)).toThrow(/must be/);
  });

  it('a service that is not there', () => {
    expect(generate('nobody.read-thing', 'GET', '/v1/things')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('no service nobody'),
    });
  });
});
