import { spawn, type ChildProcess } from 'node:child_process';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@vaultsvc/testing/waiting';
import { processTree } from '../stack/servers/process-tree.ts';
import { randomFrom } from './random.ts';
import { pauseUnlessPaused, Shaker, stateOf } from './shaker.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const pid of children.splice(0).flatMap(({ pid }) => processTree(pid ?? 0)))
    process.kill(pid, 'SIGKILL');
});

/** A program with two children. */
function start(): ChildProcess & { pid: number } {
  const child = spawn('sh', ['-c', 'sleep 60 & sleep 60 & wait'], { stdio: 'ignore' });
  children.push(child);
  return child as ChildProcess & { pid: number };
}

describe('The shaker', () => {
  it('leaves a process alone that a test has paused', async () => {
    const { pid } = start();
    expect(pauseUnlessPaused(pid)).toBe(true);
    await eventually(
      () => stateOf(pid),
      (state) => state === 'T',
    );
    expect(pauseUnlessPaused(pid)).toBe(false);
  });

  it.each([
    ['script, which would stop itself with it', 'script', ['-qec', 'exec sleep 60', '/dev/null']],
    ['zsh, which would call it failed', 'zsh', ['-fc', 'sleep 60; true']],
  ] as const)('leaves the program alone that is run by %s', async (_, command, args) => {
    const child = spawn(command, args, { stdio: 'ignore' });
    children.push(child);
    const [program = 0] = await eventually(
      () => processTree(child.pid ?? 0).slice(1),
      (pids) => pids.length === 1,
    );
    expect(pauseUnlessPaused(program)).toBe(false);
  });

  it('pauses processes below its root, and has woken all of them when it has stopped', async () => {
    const { pid } = start();
    const below = await eventually(
      () => processTree(pid).slice(1),
      (pids) => pids.length === 2,
    );
    const shaker = new Shaker(7);
    shaker.start(pid);
    await eventually(() => below.some((child) => stateOf(child) === 'T'), Boolean);
    expect(stateOf(pid)).not.toBe('T');
    expect(await shaker.stop()).toBeGreaterThan(0);
    await eventually(
      () => below.map(stateOf),
      (states) => states.every((state) => state === 'S'),
    );
  });

  it('makes the same choices with the same seed', () => {
    const numbers = (seed: number) => Array.from({ length: 5 }, randomFrom(seed));
    expect(numbers(7)).toEqual(numbers(7));
    expect(numbers(7)).not.toEqual(numbers(8));
    for (const number of numbers(7)) expect(number).toBeGreaterThanOrEqual(0);
    for (const number of numbers(7)) expect(number).toBeLessThan(1);
  });
});
