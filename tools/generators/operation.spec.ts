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
import { SAMPLES } from './generate-operation.ts';
import { readRequest, resourceOf } from './names.ts';

const workspace = resolve('.');
let copy: string;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'vaultsvc-generated-'));
  for (const path of [
    'apps/sparks/src',
    'apps/vaults/src',
    'apps/integrations/src',
    SAMPLES,
    'libs',
    'tools',
  ]) {
    cpSync(join(workspace, path), join(copy, path), { recursive: true });
  }
  for (const file of ['tsconfig.base.json', '.oxfmtrc.json', 'package.json'])
    cpSync(join(workspace, file), join(copy, file));
  linkPackages();
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Links the packages of the workspace, except for the libraries of the repository, which are those of the copy. */
function linkPackages(): void {
  const modules = join(copy, 'node_modules');
  mkdirSync(join(modules, '@vaultsvc'), { recursive: true });
  for (const name of readdirSync(join(workspace, 'node_modules'))) {
    if (name !== '@vaultsvc') symlinkSync(join(workspace, 'node_modules', name), join(modules, name));
  }
  for (const lib of readdirSync(join(copy, 'libs')))
    symlinkSync(join(copy, 'libs', lib), join(modules, '@vaultsvc', lib));
}

const read = (path: string) => readFileSync(join(copy, path), 'utf8');

function generate(...args: string[]) {
  const script = join(copy, 'tools/generators/operation.ts');
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
      compilerOptions: { noEmit: true, allowJs: true, allowImportingTsExtensions: true },
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
      ['integrations.list-hints', 'GET', '/v1/vaults/{vault_id}/hints', '--vat', 'read'],
      ['vaults.read-oldest-ingot', 'GET', '/v1/vaults/{vault_id}/oldest-ingot', '--vat', 'read'],
    ];
    for (const command of commands) expect(generate(...command)).toMatchObject({ status: 0, stderr: '' });
    const files = ['inspect-spark', 'rename-spark', 'forget-sparks']
      .map((name) => `apps/sparks/src/spark/${name}`)
      .concat('apps/integrations/src/hook/create-hook', 'apps/integrations/src/hint/list-hints')
      .flatMap((path) => [`${path}.handler.ts`, `${path}.spec.ts`]);
    const lists = [
      'apps/sparks/src/sparks.module.ts',
      'apps/integrations/src/integrations.module.ts',
      'libs/contracts/src/catalog/index.ts',
    ];
    expect(typeErrors([...files, ...lists])).toBe('');
  });

  it('is added to the file of its resource, before the events', () => {
    const text = read('libs/contracts/src/sparks/spark.ts');
    const positions = ['createSpark = ', 'inspectSpark = ', 'forgetSparks = ', 'class SparkEvent'].map(
      (part) => text.indexOf(part),
    );
    expect(positions).toEqual(positions.toSorted((x, y) => x - y));
    expect(positions[0]).toBeGreaterThan(0);
  });

  it('reuses the path parameters of its resource and the error of an unknown one', () => {
    const [, inspect] = read('libs/contracts/src/sparks/spark.ts').split('export const inspectSpark = ');
    expect(inspect).toMatch(/shardBy: 'spark_id',\s+params: SparkParams,\s+unknown: 'SPARK_NOT_FOUND'/);
  });

  it('declares new path parameters, ids by their kind', () => {
    const text = read('libs/contracts/src/sparks/spark.ts');
    expect(text).toMatch(/class RenameSparkParams \{\s+@IdOf\('spk'\) spark_id: string;\s+@Text/);
  });

  it('is listed: exported, among the controllers, routed', () => {
    expect(read('libs/contracts/src/integrations/index.ts')).toContain(`export * from './hook.js';`);
    expect(read('apps/integrations/src/integrations.module.ts')).toMatch(
      /controllers: \[[^\]]*\bCreateHook,\s+ListHints,?\s*\]/,
    );
    expect(read('apps/sparks/src/sparks.module.ts')).toMatch(/controllers: \[[^\]]*\bForgetSparks,\s*\]/);
    expect(read('libs/contracts/src/catalog/index.ts')).toContain('integrations');
  });

  it('has the context of an unsealed vault, if it needs a Vault Access Token', () => {
    expect(read('libs/contracts/src/integrations/hint.ts')).toContain(
      "access: { credential: 'key', vat: 'read' }",
    );
    expect(read('apps/integrations/src/hint/list-hints.handler.ts')).toContain('_context: VaultContext)');
  });

  it('imports in the order of the modules and names', () => {
    const module = read('apps/sparks/src/sparks.module.ts');
    const imported = [...module.matchAll(/^import [^;]*'(\.[^']+)';/gm)].map(([, from]) => from);
    const added = imported.indexOf('./spark/inspect-spark.handler.js');
    expect(imported.slice(added - 1, added + 2)).toEqual([
      './spark/forget-sparks.handler.js',
      './spark/inspect-spark.handler.js',
      './spark/list-kindling.handler.js',
    ]);
    const [, names = ''] =
      /\{([^}]*)\} from '\.\.\/core\/fields\.js'/.exec(read('libs/contracts/src/integrations/hook.ts')) ?? [];
    expect(names.trim()).toBe('Text');
    const [, fields = ''] =
      /\{([^}]*)\} from '\.\.\/core\/fields\.js'/.exec(read('libs/contracts/src/sparks/spark.ts')) ?? [];
    const list = fields.split(',').flatMap((name) => name.trim() || []);
    expect(list).toEqual(list.toSorted());
  });

  it('has a spec with the running service, by the platform of the service where it has one', () => {
    expect(read('apps/sparks/src/spark/inspect-spark.spec.ts')).toContain('await platform.harness.bus.call(');
    expect(read('apps/integrations/src/hook/create-hook.spec.ts')).toContain(
      'useService(harness, integrations)',
    );
  });

  it('has a sample input, unless its path parameters are new', () => {
    const samples = read(SAMPLES);
    expect(samples).toContain(
      'sample(sparks.inspectSpark, async (tenant) => ({ params: await spark(tenant) })),',
    );
    expect(samples).toContain('sample(sparks.forgetSparks, () => ({})),');
    expect(samples).toContain(`sample(integrations.createHook, () => ({ body: { name: 'sample' } })),`);
    expect(samples).not.toContain('sparks.renameSpark');
    expect(samples).toContain('sample(vaults.readOldestIngot, (tenant) => openVault(tenant)),');
  });

  it('overwrites nothing', () => {
    const again = generate('integrations.create-hook', 'POST', '/v1/hooks');
    expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining('exists already') });
  });
});

describe('The resource of an operation', () => {
  it.each([
    {
      path: '/v1/vaults/{vault_id}/stats',
      resource: 'vault',
      says: 'the last noun of its path with a contract',
    },
    { path: '/v1/vaults/{vault_id}/folders', resource: 'folder', says: 'the last one, not the first' },
    { path: '/v1/vaults/{vault_id}/newest-folder', resource: 'folder', says: 'a noun behind adjectives' },
    { path: '/v1/statistics', resource: 'stat', says: 'the noun of its name if no noun of the path has one' },
    { path: '/v1/vaults', given: 'session', resource: 'session', says: 'the given one before all others' },
  ])('is $says', ({ path, given, resource }) => {
    const request = readRequest(['vaults.read-stats', 'GET', path], { in: given });
    expect(resourceOf(request, (name) => ['vault', 'folder'].includes(name))).toBe(resource);
  });
});

describe('The generator refuses', () => {
  it.each([
    { says: 'a name without a noun', words: ['sparks.read', 'GET', '/v1/sparks'] },
    { says: 'a method that no contract has', words: ['sparks.read-spark', 'HEAD', '/v1/sparks'] },
    { says: 'a path outside /v1', words: ['sparks.read-spark', 'GET', '/sparks'] },
    {
      says: 'a resource outside its service',
      words: ['sparks.read-spark', 'GET', '/v1/sparks'],
      resource: '../auth',
    },
    {
      says: 'a level of access that no token has',
      words: ['sparks.read-spark', 'GET', '/v1/sparks'],
      vat: 'all',
    },
  ])('$says', ({ words, resource, vat }) => {
    expect(() => readRequest(words, { in: resource, vat })).toThrow(/must be/);
  });

  it('a service that does not exist, and lists those that do', () => {
    const { status, stderr } = generate('missing.read-item', 'GET', '/v1/items');
    expect(status).toBe(1);
    expect(stderr).toMatch(/no service missing .* Services: .*\S/);
  });

  it('a route that another operation has, whatever its parameters are called', () => {
    expect(generate('sparks.show-spark', 'GET', '/v1/sparks/{id}')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('GET /v1/sparks/{id} is declared already in sparks/spark.ts'),
    });
  });
});
