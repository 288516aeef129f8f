import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { LockHeld, ProcessLock } from './process-lock.js';
import { thisProcess } from './process-name.js';

let folder: string;
beforeEach(() => void (folder = join(mkdtempSync(join(tmpdir(), 'lock-spec-')), 'lock')));

const ticketOf = (pid: number, started: string, host = hostname()) => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${pid}~${started}~00~${host}`), '');
};

describe('a lock between processes', () => {
  it('SDK-09: has one holder of many that want it at once, and leaves nothing', async () => {
    let holders = 0;
    let most = 0;
    const attempts = Array.from({ length: 20 }, async () => {
      const lock = await ProcessLock.acquire(folder);
      most = Math.max(most, (holders += 1));
      await new Promise((resolve) => setImmediate(resolve));
      holders -= 1;
      await lock.release();
    });
    const outcomes = await Promise.allSettled(attempts);
    expect(most).toBe(1);
    expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
    await (await ProcessLock.acquire(folder)).release();
    expect(existsSync(folder)).toBe(false);
  });

  it('SDK-09: is free whatever happens to other locks of its folder, which the last one to end removes', async () => {
    const rounds = Array.from({ length: 8 }, async (_, worker) => {
      for (let round = 0; round < 100; round += 1)
        await (await ProcessLock.acquire(join(folder, String(worker)))).release();
    });
    await Promise.all(rounds);
    expect(existsSync(folder)).toBe(false);
  });

  it('SDK-09: names its holder to others', async () => {
    const lock = await ProcessLock.acquire(folder);
    const error = await ProcessLock.acquire(folder).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(LockHeld);
    expect(error).toMatchObject({ holder: { pid: process.pid } });
    await lock.release();
  });

  it('SDK-09: ends with its process, also by kill -9', async () => {
    const holder = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { stdio: 'ignore' });
    await once(holder, 'spawn');
    const stat = readFileSync(`/proc/${holder.pid}/stat`, 'utf8');
    ticketOf(holder.pid ?? 0, stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '');
    await expect(ProcessLock.acquire(folder)).rejects.toMatchObject({ holder: { pid: holder.pid } });
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    await (await ProcessLock.acquire(folder)).release();
  });

  it('SDK-09: is not that of a later process with the same number', async () => {
    ticketOf(process.pid, `${Number(thisProcess().started) + 1}`);
    await (await ProcessLock.acquire(folder)).release();
  });

  it('SDK-09: of another machine lasts', async () => {
    ticketOf(1, '1', 'another-machine');
    await expect(ProcessLock.acquire(folder)).rejects.toMatchObject({ holder: { host: 'another-machine' } });
  });
});
