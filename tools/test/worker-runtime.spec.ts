import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const root = mkdtempSync(join(tmpdir(), 'vaultsvc-worker-runtime-'));
const counter = `let loads = 0; export const count = () => ++loads; export const load = () => import('./late.mjs');`;
const spec = `
  import { appendFileSync, readFileSync } from 'node:fs';
  import { register, Counter } from 'prom-client';
  import { count as ofProduct, load } from './counter.mjs';
  import { count as ofTests } from './testing/counter.mjs';

  const fetchBefore = globalThis.fetch;
  it('writes what it found', async () => {
    const { late } = await load();
    const hasMetric = register.getSingleMetric('loads') !== undefined;
    if (!hasMetric) new Counter({ name: 'loads', help: 'Files so far.' });
    let error;
    try { readFileSync('/nowhere'); } catch (thrown) { error = thrown; }
    appendFileSync('${root}/found', JSON.stringify({
      product: ofProduct(),
      tests: ofTests(),
      hasMetric,
      late: late(),
      isError: error instanceof Error,
      hasFetch: fetchBefore.name === 'fetch',
    }) + '\\n');
    globalThis.fetch = function replaced() {};
  });`;

function write(path: string, text: string) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Observations of two spec files of one worker, in their order. */
let found: Record<string, unknown>[];

beforeAll(() => {
  write('apps/demo/src/counter.mjs', counter);
  write('apps/demo/src/late.mjs', `let loads = 0; export const late = () => ++loads;`);
  write('apps/demo/src/testing/counter.mjs', counter);
  write('apps/demo/src/first.spec.mjs', spec);
  write('apps/demo/src/second.spec.mjs', spec);
  const config = {
    rootDir: root,
    testMatch: ['**/*.spec.mjs'],
    moduleFileExtensions: ['mjs', 'js'],
    transform: {},
    testEnvironment: resolve('tools/test/worker-environment.ts'),
    runtime: resolve('tools/test/worker-runtime.ts'),
  };
  write('jest.config.json', JSON.stringify(config));
  const env = { ...process.env, NODE_OPTIONS: '--experimental-vm-modules --no-warnings' };
  const args = ['node_modules/jest/bin/jest.js', '--runInBand', '--config', join(root, 'jest.config.json')];
  execFileSync(process.execPath, args, { env, stdio: 'pipe' });
  const lines = readFileSync(join(root, 'found'), 'utf8').trim().split('\n');
  found = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
});
afterAll(() => rmSync(root, { recursive: true }));

describe('the spec files of one worker', () => {
  it('share the modules of the product', () => {
    expect(found.map(({ product }) => product)).toEqual([1, 2]);
  });

  it('share modules of the product that import others when they run', () => {
    expect(found.map(({ late }) => late)).toEqual([1, 2]);
  });

  it('have test helpers of their own', () => {
    expect(found.map(({ tests }) => tests)).toEqual([1, 1]);
  });

  it('share packages, which Node loads', () => {
    expect(found.map(({ hasMetric }) => hasMetric)).toEqual([false, true]);
  });

  it('use the built-in classes of Node', () => {
    expect(found.map(({ isError }) => isError)).toEqual([true, true]);
  });

  it('find the global functions that the file before replaced', () => {
    expect(found.map(({ hasFetch }) => hasFetch)).toEqual([true, true]);
  });
});
