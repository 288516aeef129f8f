import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { blocksOf, readRunbook, variablesOf } from './runbook.ts';

const text = readRunbook();

describe('MISC-03: deploy/restore.md can be followed as it is written', () => {
  it('has commands for the dump and for the steps that need some', () => {
    expect(blocksOf(text).map(({ step }) => step)).toEqual([0, 2, 4, 5, 6, 7, 9]);
  });

  it.each(blocksOf(text))('has commands of bash in step $step', ({ commands }) => {
    expect(spawnSync('bash', ['-n', '-c', commands], { encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
  });

  it('names each variable that its commands read', () => {
    const commands = blocksOf(text).map((block) => block.commands);
    const read = commands.flatMap((block) => [...block.matchAll(/\$\{?([A-Z_]+)/g)].map(([, name]) => name));
    // bash sets PWD.
    const missing = read.filter((name) => name !== 'PWD' && !variablesOf(text).includes(name ?? ''));
    expect(missing).toEqual([]);
    expect(read).not.toEqual([]);
  });

  it('migrates every service that has tables, and fences those that the page lists', () => {
    const loops = [...text.matchAll(/for service in ([a-z ]+); do/g)].map(([, names]) => names);
    const all = 'auth sparks vaults forge notify integrations reporting';
    expect(loops).toEqual([all, all, 'auth sparks vaults forge reporting']);
  });
});
