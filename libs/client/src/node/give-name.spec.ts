import { lstatSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { giveName } from './give-name.js';

let folder: string;
let part: { path: string; target: string };
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'give-name-spec-'));
  part = { path: join(folder, '.part'), target: join(folder, 'got') };
  writeFileSync(part.path, 'content');
});

const withoutLinks = (code: string) => async () => {
  throw Object.assign(new Error(code), { code });
};

describe('a complete download on a file system without hard links', () => {
  it.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])('SDK-09: gets its name: %s', async (code) => {
    await giveName(part, withoutLinks(code));
    expect([readdirSync(folder), readFileSync(part.target, 'utf8')]).toEqual([['got'], 'content']);
  });

  it.each([
    ['a file', () => writeFileSync(part.target, 'mine')],
    ['an empty file', () => writeFileSync(part.target, '')],
    ['a dangling symbolic link', () => symlinkSync(join(folder, 'none'), part.target)],
  ])('SDK-09: replaces not even %s, and is named instead', async (_, make) => {
    make();
    const { ino } = lstatSync(part.target);
    await expect(giveName(part, withoutLinks('EPERM'))).rejects.toMatchObject({ kept: part.path });
    expect([lstatSync(part.target).ino, readFileSync(part.path, 'utf8')]).toEqual([ino, 'content']);
  });

  it('SDK-09: is named if its folder is gone', async () => {
    const gone = { ...part, target: join(folder, 'none/got') };
    await expect(giveName(gone)).rejects.toMatchObject({ kept: part.path, problem: 'EXISTS' });
  });
});
