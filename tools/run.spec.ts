import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'acorn';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
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
import { join } from 'node:path';
import { oldestNode } from './node/oldest-node.ts';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

let folder: string;
let program: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaultsvc-node-'));
  program = join(folder, 'program.ts');
  writeFileSync(program, 'const nothing: undefined = undefined;');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs Node with the arguments of a script, and another version than its own. */
function runAs(version: string, args: readonly string[]) {
  const fake = join(folder, `${version}.cjs`);
  writeFileSync(fake, `Object.defineProperty(process, 'version', { value: '${version}' });`);
  return spawnSync(process.execPath, ['-r', fake, ...args], { encoding: 'utf8' });
}

describe('A Node that is too old', () => {
  it('can parse the program that refuses it', () => {
    expect(() => parse(readFileSync('tools/run.cjs', 'utf8'), { ecmaVersion: 5 })).not.toThrow();
  });

  it.each(['start', 'dev', 'test', 'logs', 'build', 'docs'])(
    'is refused by `npm run %s` in one sentence',
    (name) => {
      const [node, ...args] = (scripts[name] ?? '').split(' ');
      const { status, stdout, stderr } = runAs('v16.20.2', args);
      expect({ node, status, stdout }).toEqual({ node: 'node', status: 1, stdout: '' });
      expect(stderr).toMatch(
        /^vaultsvc needs Node 20\.19 or later, and this is Node 16\.20\.2 \(.+\)\. Install .+ nvm install --lts\n$/,
      );
    },
  );

  it.each([
    ['v0.10.48', 1],
    ['v9.11.2', 1],
    ['v20.18.3', 1],
    ['v20.19.0', 0],
    ['v22.0.0', 0],
    ['v100.1.0-nightly', 0],
  ])('is recognized by its numbers: %s ends with %i', (version, code) => {
    expect(runAs(version, ['tools/run.cjs', program]).status).toBe(code);
  });
});

/** Stands in for npm: its package has the Node of this test. */
const npm = `#!/bin/sh
echo install >> "$INSTALLATIONS"
sleep 0.3
for name; do :; done
bin="$3/node_modules/\${name%@*}/bin"
mkdir -p "$bin" && ln -s '${process.execPath}' "$bin/node"
`;

const program24 = `
let signals: number = 0;
process.on('SIGINT', () => (signals += 1));
process.on('SIGTERM', () => (signals += 1));
process.stdout.write('running\\n');
setTimeout(() => {
  process.stdout.write(JSON.stringify({ signals, args: process.argv.slice(2), major: process.versions.node.split('.')[0] }));
  process.exit(7);
}, Number(process.env.RUN_MS ?? 0));
`;

describe('A Node that does not strip types', () => {
  let node: string;
  let workspace: string;
  beforeAll(() => void (node = oldestNode()));
  beforeEach(() => {
    workspace = mkdtempSync(join(folder, 'workspace-'));
    cpSync('tools/run.cjs', join(workspace, 'tools/run.cjs'));
    cpSync('tools/node', join(workspace, 'tools/node'), { recursive: true });
    cpSync('package.json', join(workspace, 'package.json'));
    mkdirSync(join(workspace, 'bin'));
    symlinkSync(node, join(workspace, 'bin/node'));
    writeFileSync(join(workspace, 'bin/npm'), npm, { mode: 0o755 });
    writeFileSync(join(workspace, 'program.ts'), program24);
  });

  function environment(runMs: number) {
    const path = `${join(workspace, 'bin')}:${process.env.PATH}`;
    const env = { ...process.env, NODE_OPTIONS: '', npm_lifecycle_event: '', PATH: path };
    return { ...env, INSTALLATIONS: join(workspace, 'installations'), RUN_MS: String(runMs) };
  }

  function start(runMs = 0, command = ['node', 'tools/run.cjs', 'program.ts', 'a', 'b c']) {
    const [first = '', ...args] = command;
    const child = spawn(first, args, { cwd: workspace, env: environment(runMs) });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data) => (stdout += data));
    child.stderr.on('data', (data) => (stderr += data));
    const ended = once(child, 'close').then(([code]: unknown[]) => ({ code, stdout, stderr }));
    const running = async () => {
      while (!stdout.includes('running')) await once(child.stdout, 'data');
    };
    return { child, ended, running };
  }

  const seen = (signals: number) => ({
    signals,
    args: ['a', 'b c'],
    major: process.versions.node.split('.')[0],
  });
  const told = ({ stdout }: { stdout: string }) => JSON.parse(stdout.slice(stdout.indexOf('{'))) as object;

  it('gets a newer one once, says so in one line, and ends with the exit code of the program', async () => {
    const first = await start().ended;
    expect(first.stderr).toMatch(/^Node 20\.19\.\d+ is too old for the tools; getting Node 24 \(once\) …\n$/);
    expect({ code: first.code, seen: told(first) }).toEqual({ code: 7, seen: seen(0) });
    expect(await start().ended).toMatchObject({ code: 7, stderr: '' });
    expect(readFileSync(join(workspace, 'installations'), 'utf8')).toBe('install\n');
  });

  it('gets it for two commands at a time', async () => {
    const both = await Promise.all([start().ended, start().ended]);
    expect(both.map(({ code }) => code)).toEqual([7, 7]);
    expect(readdirSync(join(workspace, '.cache/node'))).toEqual(['24']);
  });

  it('says what to do where there is no registry', async () => {
    writeFileSync(join(workspace, 'bin/npm'), '#!/bin/sh\necho "npm error code ENOTFOUND" >&2; exit 1');
    const { code, stderr } = await start().ended;
    expect(code).toBe(1);
    expect(stderr.split('\n')[1]).toMatch(
      /^npm could not install Node 24 \(code ENOTFOUND\)\. Install it from https:\S+, or with nvm: nvm install 24; or give/,
    );
    expect(readdirSync(join(workspace, '.cache/node'))).toEqual([]);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('passes %s on once and waits for the program', async (signal) => {
    const { child, ended, running } = start(1_000);
    await running();
    child.kill(signal);
    const end = await ended;
    expect({ code: end.code, seen: told(end) }).toEqual({ code: 7, seen: seen(1) });
  });

  it('does not repeat the Ctrl-C of a terminal, which the program receives as well', async () => {
    // `exec`: a shell that stays, as dash does, ends by the Ctrl-C itself whatever its program does.
    const command = 'exec node tools/run.cjs program.ts a "b c"';
    const { child, ended, running } = start(1_000, ['script', '-qec', command, '/dev/null']);
    await running();
    child.stdin.write('\x03');
    const end = await ended;
    expect({ code: end.code, seen: told(end) }).toEqual({ code: 7, seen: seen(1) });
  });
});
