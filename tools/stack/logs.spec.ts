import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acquireLock } from './lock.ts';
import { stackPaths } from './settings.ts';

let folder: string;
let paths: ReturnType<typeof stackPaths>;
let running: ChildProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaultsvc-logs-'));
  paths = stackPaths({ VAULTSVC_DIR: join(folder, 'state') });
  running = undefined;
});

afterEach(async () => {
  if (running?.exitCode === null) {
    running.kill('SIGKILL');
    await once(running, 'close');
  }
  rmSync(folder, { recursive: true });
});

const line = (service: string, time: number, msg: string, level = 'info') =>
  `${JSON.stringify({ level, time, service, msg })}\n`;
const logOf = (service: string) => join(paths.logs, `${service}.log`);

/** The folder of a stack with the logs of two services, which this process runs. */
function writeLogs() {
  mkdirSync(paths.logs, { recursive: true });
  writeFileSync(logOf('gateway'), line('gateway', 1000, 'first') + line('gateway', 3000, 'third', 'warn'));
  writeFileSync(logOf('sparks'), `${line('sparks', 2000, 'second')}    at main.js:1:1\n`);
  acquireLock(paths.lock);
}

function launch(...args: string[]) {
  const env = { ...process.env, VAULTSVC_DIR: paths.dir };
  running = spawn(process.execPath, ['tools/stack/logs.ts', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return running;
}

async function logs(...args: string[]) {
  const child = launch(...args);
  let output = '';
  let errors = '';
  child.stdout?.on('data', (data) => (output += data));
  child.stderr?.on('data', (data) => (errors += data));
  const [code] = (await once(child, 'close')) as [number];
  return { code, errors, lines: output.split('\n').slice(0, -1) };
}

const messages = ({ lines }: { lines: string[] }) => lines.map((text) => text.slice(32));

describe('npm run logs', () => {
  it('prints the lines of all services by time, without colors outside of a terminal, and ends', async () => {
    writeLogs();
    const printed = await logs();
    expect(printed).toMatchObject({ code: 0, errors: '' });
    expect(messages(printed)).toEqual(['first', 'second', '    at main.js:1:1', 'third']);
    expect(printed.lines[0]).toMatch(/^\d\d:\d\d:01\.000 gateway {6}info {2}first$/);
  });

  it('selects services, levels and the number of lines', async () => {
    writeLogs();
    expect(messages(await logs('sparks'))).toEqual(['second', '    at main.js:1:1']);
    expect(messages(await logs('--level', 'warn', 'gateway'))).toEqual(['third']);
    expect(messages(await logs('--lines', '1'))).toEqual(['third']);
    expect(messages(await logs('-n', '0'))).toEqual([]);
  });

  it('MISC-01: knows the further instances and servers of a stack with --clusters', async () => {
    writeLogs();
    writeFileSync(logOf('sparks-1'), line('sparks', 2500, 'of shard 1'));
    writeFileSync(logOf('nats-2'), '[1] 1970/01/01 00:00:04.000000 [INF] Server is ready\n');
    writeFileSync(logOf('sparks-1.migrate'), line('sparks', 2500, 'of a program'));
    expect(messages(await logs('sparks-1'))).toEqual(['of shard 1']);
    expect((await logs('nats-2')).lines).toHaveLength(1);
    const all = messages(await logs()).join();
    expect(all).toContain('of shard 1');
    expect(all).not.toMatch(/of a program|Server is ready/);
  });

  it('prints JSON with --json, also for text', async () => {
    writeLogs();
    const { lines } = await logs('sparks', '--json');
    expect(lines.map((text) => JSON.parse(text) as unknown)).toEqual([
      { level: 'info', time: 2000, service: 'sparks', msg: 'second' },
      { level: 'error', time: 2000, service: 'sparks', msg: '    at main.js:1:1' },
    ]);
  });

  it('follows the logs, whole lines only, also after another start of the stack', async () => {
    writeLogs();
    const child = launch('--follow', '--lines', '1');
    let output = '';
    child.stdout?.on('data', (data) => (output += data));
    const shows = async (text: string) => {
      const signal = AbortSignal.timeout(60_000);
      while (!output.includes(text) && child.stdout) await once(child.stdout, 'data', { signal });
    };
    await shows('third');
    const fourth = line('gateway', 4000, 'fourth');
    appendFileSync(logOf('gateway'), fourth.slice(0, 20));
    appendFileSync(logOf('sparks'), line('sparks', 4500, 'beside'));
    await shows('beside');
    appendFileSync(logOf('gateway'), fourth.slice(20));
    await shows('fourth');
    renameSync(logOf('gateway'), `${logOf('gateway')}.1`);
    writeFileSync(logOf('gateway'), line('gateway', 5000, 'fifth'));
    await shows('fifth');
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(
      output
        .trim()
        .split('\n')
        .map((text) => text.slice(32)),
    ).toEqual(['third', 'beside', 'fourth', 'fifth']);
  });

  it('says that these are logs of the last run where no stack runs', async () => {
    writeLogs();
    rmSync(paths.lock);
    const printed = await logs('gateway');
    expect(printed.errors).toBe(`No stack runs in ${paths.dir}; these are the logs of its last run.\n`);
    expect(messages(printed)).toEqual(['first', 'third']);
  });

  it('ends with exit code 1 where no stack has run', async () => {
    expect(await logs()).toEqual({
      code: 1,
      lines: [],
      errors: expect.stringContaining(`No stack has run in ${paths.dir}.`),
    });
  });

  it.each([
    [['sparkz'], /^Unknown service sparkz\. Known: gateway, auth, sparks, .*, providers\n$/],
    [['--level', 'loud'], /^Unknown level loud\. Known: trace, .*, fatal\n$/],
    [['--lines', 'x'], /^--lines needs a number, not x\.\n$/],
    [['--flow'], /^Unknown option '--flow'\. npm run logs -- --help lists all options\.\n$/],
  ])('rejects %j with exit code 2', async (args, errors) => {
    expect(await logs(...args)).toEqual({ code: 2, lines: [], errors: expect.stringMatching(errors) });
  });

  it('prints every option with --help', async () => {
    const { code, lines } = await logs('--help');
    expect(code).toBe(0);
    for (const name of [
      '--follow',
      '--no-follow',
      '--level',
      '--lines',
      '--json',
      'VAULTSVC_DIR',
      'reporting',
      'postgres',
    ])
      expect(lines.join('\n')).toContain(name);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100);
  });
});
