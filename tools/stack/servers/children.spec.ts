import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning, processStart, reapChildren, recordChild } from './children.ts';

let folder: string;
const started: ChildProcess[] = [];

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'vaultsvc-children-')), 'children');
});

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  rmSync(join(folder, '..'), { recursive: true, force: true });
});

/** Runs a program and waits until it has installed its signal handlers. */
async function start(program: string): Promise<ChildProcess & { pid: number }> {
  const script = `${program}; setInterval(() => {}, 1000); console.log('up')`;
  const child = spawn(process.execPath, ['-e', script], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  started.push(child);
  await once(child.stdout, 'data');
  return child as ChildProcess & { pid: number };
}

describe('The next start after a killed launcher', () => {
  it('stops its children and deletes their records', async () => {
    const child = await start('');
    recordChild(folder, { name: 'sparks', pid: child.pid, stopSignal: 'SIGTERM' });
    const ended = once(child, 'exit');
    expect(await reapChildren(folder)).toMatchObject([{ name: 'sparks', pid: child.pid }]);
    expect(await ended).toEqual([null, 'SIGTERM']);
    expect(existsSync(folder)).toBe(false);
  });

  it('kills a child that ignores the stop signal', async () => {
    const child = await start(`process.on('SIGTERM', () => {})`);
    recordChild(folder, { name: 'unresponsive', pid: child.pid, stopSignal: 'SIGTERM' });
    const ended = once(child, 'exit');
    await reapChildren(folder, 100);
    expect(await ended).toEqual([null, 'SIGKILL']);
  });

  it('stops a paused child', async () => {
    const child = await start('');
    recordChild(folder, { name: 'paused', pid: child.pid, stopSignal: 'SIGTERM' });
    process.kill(child.pid, 'SIGSTOP');
    const ended = once(child, 'exit');
    await reapChildren(folder);
    expect(await ended).toEqual([null, 'SIGTERM']);
  });

  it('does not stop a process that reuses the pid of an earlier child', async () => {
    const other = await start('');
    recordChild(folder, { name: 'sparks', pid: other.pid, stopSignal: 'SIGTERM' });
    const record = { name: 'sparks', pid: other.pid, stopSignal: 'SIGKILL', startedAt: 'another time' };
    writeFileSync(join(folder, `${other.pid}.json`), JSON.stringify(record));
    expect(await reapChildren(folder)).toEqual([]);
    expect(processStart(other.pid)).toBeDefined();
  });

  it('does not count a zombie as a running child', async () => {
    const child = await start('');
    const record = { pid: child.pid, startedAt: processStart(child.pid) ?? '' };
    expect(isRunning(record)).toBe(true);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    expect(isRunning(record)).toBe(false);
  });
});
