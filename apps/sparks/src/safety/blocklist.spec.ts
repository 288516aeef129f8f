import { createHash } from 'node:crypto';
import { mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BlocklistFile, Blocklist } from './blocklist.js';
import { readDestination } from './destination.js';

const sha256 = (expression: string, bytes: number) =>
  `sha256:${createHash('sha256')
    .update(expression)
    .digest('hex')
    .slice(0, bytes * 2)}`;
const lists = async (text: string, url: string) =>
  (await Blocklist.parse(text)).includes(readDestination(url));

describe('LNK-13 OPEN-26: a blocklist of hosts and their subdomains', () => {
  it.each([
    ['evil.example', 'http://evil.example/'],
    ['evil.example', 'https://EVIL.example.:8443/a?b#c'],
    ['evil.example', 'http://a.b.evil.example/x'],
    ['Evil.Example  # since March', 'http://evil.example/'],
    ['evil.example.\r', 'http://evil.example/'],
    ['bücher.example', 'http://xn--bcher-kva.example/'],
    ['xn--bcher-kva.example', 'http://bücher.example/'],
    ['0x08080808', 'http://8.8.8.8/'],
    ['[2606:4700:4700::1111]', 'http://[2606:4700:4700:0::1111]/'],
    ['com', 'http://any.com/'],
  ])('lists with %j the URL %s', async (line, url) => expect(await lists(line, url)).toBe(true));

  it.each([
    ['evil.example', 'http://notevil.example/'],
    ['evil.example', 'http://evil.example.org/'],
    ['evil.example', 'http://org/?evil.example'],
    ['a.evil.example', 'http://evil.example/'],
    ['# evil.example', 'http://evil.example/'],
    ['', 'http://evil.example/'],
  ])('does not list with %j the URL %s', async (line, url) => expect(await lists(line, url)).toBe(false));
});

describe('LNK-13 OPEN-26: a blocklist of hashes', () => {
  it.each([4, 5, 16, 32])('lists URLs by the first %i bytes of their hash', async (bytes) => {
    const line = sha256('evil.example/bad/', bytes);
    expect(await lists(line, 'http://www.evil.example/bad/deeper.html?x')).toBe(true);
    expect(await lists(line.toUpperCase(), 'http://evil.example//bad/./')).toBe(true);
    expect(await lists(line, 'http://evil.example/good/')).toBe(false);
  });
});

describe('OPEN-26: a malformed line is reported by its number, and the other lines apply', () => {
  it.each([
    'http://evil.example/',
    'evil.example/path',
    '*.evil.example',
    'evil.example:80',
    '0.0.0.0 evil.example',
    'user@evil.example',
    'sha256:abcdef',
    'sha256:abcdef012',
    `sha256:${'ab'.repeat(33)}`,
    'sha256:nothexadecimal00',
    '.',
    '%',
    '1.2.3.4.5',
    '[::1',
  ])('%j', async (line) => {
    const list = await Blocklist.parse(`first.example\n${line}\n\n# comment\nlast.example\n`);
    expect(list.malformedLines).toEqual([2]);
    expect(list.size).toBe(2);
    expect(list.includes(readDestination('http://last.example/'))).toBe(true);
  });
});

describe('OPEN-26: the blocklist file', () => {
  let dir: string;
  const checked = (file: BlocklistFile, url: string) => file.check(readDestination(url));
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'vaultsvc-blocklist-'));
  });
  afterAll(() => rm(dir, { recursive: true }));

  it('is reread when it has changed in place or was replaced', async () => {
    const path = join(dir, 'changing');
    await writeFile(path, 'one.example');
    const file = await BlocklistFile.open(path);
    expect(await checked(file, 'http://one.example/')).toBe('listed');
    await writeFile(path, 'two.example');
    await utimes(path, 1, 1);
    await file.refresh();
    expect(await checked(file, 'http://one.example/')).toBeUndefined();
    expect(await checked(file, 'http://two.example/')).toBe('listed');
    await writeFile(`${path}.new`, 'six.example');
    await utimes(`${path}.new`, 1, 1);
    await rename(`${path}.new`, path);
    await file.refresh();
    expect(await checked(file, 'http://six.example/')).toBe('listed');
  });

  it('stays in use when it is deleted', async () => {
    const path = join(dir, 'going');
    await writeFile(path, 'one.example');
    const file = await BlocklistFile.open(path);
    await rm(path);
    await expect(file.refresh()).rejects.toThrow('ENOENT');
    expect(await checked(file, 'http://one.example/')).toBe('listed');
  });

  it.each([
    ['is missing', 'missing'],
    ['is a folder', ''],
  ])('prevents the start when it %s', async (_, name) => {
    const opening = BlocklistFile.open(join(dir, name));
    await expect(opening).rejects.toMatchObject({ name: 'ConfigError' });
    await expect(opening).rejects.toThrow(/URL_BLOCKLIST_FILE cannot be read: /);
  });

  it('may be long', async () => {
    const path = join(dir, 'long');
    await writeFile(path, Array.from({ length: 200_000 }, (_, i) => `host-${i}.example`).join('\n'));
    const file = await BlocklistFile.open(path);
    expect(await checked(file, 'http://host-199999.example/')).toBe('listed');
    expect(await checked(file, 'http://host-200000.example/')).toBeUndefined();
  });
});
