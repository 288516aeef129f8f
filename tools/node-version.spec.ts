import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaultsvc-node-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs Node with the arguments of a script, and another version than its own. */
function runOn(version: string, args: readonly string[]) {
  const fake = join(folder, `${version}.cjs`);
  writeFileSync(fake, `Object.defineProperty(process, 'version', { value: '${version}' });`);
  return spawnSync(process.execPath, ['-r', fake, ...args], { encoding: 'utf8' });
}

describe('A Node that is too old', () => {
  it.each(['start', 'dev', 'test', 'logs'])('is refused by `npm run %s` in one sentence', (name) => {
    const [program, ...args] = (scripts[name] ?? '').split(' ');
    const { status, stdout, stderr } = runOn('v16.20.2', args);
    expect({ program, status, stdout }).toEqual({ program: 'node', status: 1, stdout: '' });
    expect(stderr).toMatch(
      /^vaultsvc needs Node 20\.19 or later, and this is Node 16\.20\.2 \(.+\)\. Install .+ nvm install --lts\n$/,
    );
  });

  it.each([
    ['v0.10.48', 1],
    ['v9.11.2', 1],
    ['v20.18.3', 1],
    ['v20.19.0', 0],
    ['v22.0.0', 0],
    ['v100.1.0-nightly', 0],
  ])('is recognized by its numbers: %s ends with %i', (version, code) => {
    const args = ['-r', './tools/node-version.cjs', '-e', ''];
    expect(runOn(version, args).status).toBe(code);
  });
});
