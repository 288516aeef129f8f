import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { localNames, preparePath } from './local-path.js';

describe('the names of a downloaded file', () => {
  it.each(['..', '.', '', 'a/b', '../x', '/etc/passwd', 'a\\b', '..\\x', 'a\0b', 'a\nb', 'x'.repeat(256)])(
    'CLI-08: are refused if they could mean another place: %j',
    (name) => {
      expect(() => localNames('', name, 'linux')).toThrow();
      if (name !== '' && name !== 'a/b') expect(() => localNames(`a/${name}`, 'b', 'linux')).toThrow();
    },
  );

  it('CLI-08: are those of the folder and of the file otherwise', () => {
    expect(localNames('a/b c', '\u00e9..txt', 'linux')).toEqual(['a', 'b c', '\u00e9..txt']);
    expect(localNames('', 'aux.c', 'linux')).toEqual(['aux.c']);
  });

  it.each(['aux', 'NUL.txt', 'com1', 'LPT9.log', 'a.', 'a ', 'a:b', 'a?'])(
    'CLI-08: are refused on Windows if it reserves them: %j',
    (name) => expect(() => localNames('', name, 'win32')).toThrow('Windows'),
  );
});

describe('the folders of a download', () => {
  let root: string;
  beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'vaultsvc-path-spec-'))));
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('CLI-08: are created below the root, and used again', async () => {
    for (let i = 0; i < 2; i++)
      expect(await preparePath(root, ['a', 'b', 'f'])).toBe(join(root, 'a', 'b', 'f'));
    expect(readdirSync(join(root, 'a'))).toEqual(['b']);
  });

  it('CLI-08: are no symbolic links, wherever they lead, and no files', async () => {
    symlinkSync(tmpdir(), join(root, 'out'));
    symlinkSync('nowhere', join(root, 'dangling'));
    writeFileSync(join(root, 'file'), '');
    for (const name of ['out', 'dangling', 'file'])
      await expect(preparePath(root, [name, 'f'])).rejects.toThrow('is no folder');
    expect(readdirSync(root).toSorted()).toEqual(['dangling', 'file', 'out']);
  });
});
