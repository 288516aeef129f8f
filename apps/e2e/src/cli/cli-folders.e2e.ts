import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@vaultsvc/crypto/encoding';
import { stack } from '../stack.js';
import { CliHome } from './cli-home.js';

const { api_url, account } = stack();
const vault = newId('vault_');
const files: Readonly<Record<string, string>> = {
  'a.txt': 'a',
  'caf\u00e9/b c.txt': 'b',
  'caf\u00e9/deep/c.bin': '\u0000\u001b[2Jc',
};
let cli: CliHome;

const write = (path: string, content: string) => {
  mkdirSync(dirname(cli.path(path)), { recursive: true });
  writeFileSync(cli.path(path), content);
};
/** The files below a folder, with their content. */
const contentOf = (path: string) =>
  Object.fromEntries(
    readdirSync(cli.path(path), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath}/${entry.name}`)
      .map((name) => [name.slice(cli.path(path).length + 1), readFileSync(name, 'utf8')]),
  );
const upload = () => cli.run(['upload', vault, 'photos', '--recursive', '--folder', '2026']);
const download = (...words: string[]) => cli.run(['download', vault, ...words, '--recursive']);

beforeAll(async () => {
  cli = await CliHome.make();
  await cli.succeed(['login', '--url', api_url, '--key-stdin'], { input: account.api_key });
  await cli.succeed(['vault', 'create', vault, '--save']);
  for (const [path, content] of Object.entries(files)) write(`photos/${path}`, content);
  utimesSync(cli.path('photos/a.txt'), 1_234_567_890, 1_234_567_890);
});
afterAll(() => cli.remove());

describe('a folder', () => {
  it('CLI-08 ING-43: is uploaded and downloaded with all that it holds, and not twice', async () => {
    expect(await upload()).toMatchObject({ code: 0, stderr: expect.stringContaining('Uploaded 3 files') });
    expect(await cli.succeed(['ls', `${vault}:2026`, '--recursive'])).toBe(
      ['photos/', 'photos/a.txt', 'photos/caf\u00e9/', 'photos/caf\u00e9/b c.txt', 'photos/caf\u00e9/deep/']
        .concat('photos/caf\u00e9/deep/c.bin', '')
        .join('\n'),
    );
    expect(await upload()).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('3 files there already'),
    });
    for (const said of ['Downloaded 3 files', '3 files there already'])
      expect(await download('2026/photos', '--out', 'got')).toMatchObject({
        code: 0,
        stderr: expect.stringContaining(said),
      });
    expect(contentOf('got')).toEqual(files);
    // ING-43
    expect(statSync(cli.path('got/a.txt')).mtime.toISOString()).toBe('2009-02-13T23:31:30.000Z');
  });

  it('CLI-08: replaces nothing, here or in the vault, and leaves its folder by no link', async () => {
    write('photos/a.txt', 'changed');
    write('got/caf\u00e9/b c.txt', 'mine');
    write('outside.txt', 'outside');
    symlinkSync(cli.path('outside.txt'), cli.path('photos/link.txt'));
    const uploaded = await upload();
    expect([uploaded.code, uploaded.stderr]).toEqual([1, expect.stringContaining('2 files failed')]);
    const downloaded = await download('2026/photos', '--out', 'got');
    expect([downloaded.code, downloaded.stderr]).toEqual([1, expect.stringContaining('1 file failed')]);
    expect(contentOf('got')).toEqual({ ...files, 'caf\u00e9/b c.txt': 'mine' });
    expect(await cli.succeed(['cat', vault, '2026/photos/a.txt'])).toBe('a');
  });

  it('CLI-08: is moved and deleted with all that it holds', async () => {
    await cli.succeed(['mv', vault, '2026/photos/a.txt', '2026/first.txt']);
    await cli.succeed(['mv', vault, '2026/photos', '/']);
    expect(await cli.succeed(['ls', vault])).toBe('2026/\nphotos/\n');
    expect(await cli.succeed(['cat', vault, '2026/first.txt'])).toBe('a');
    expect((await cli.run(['mv', vault, '2026/first.txt', 'photos/caf\u00e9/b c.txt'])).code).toBe(1);
    expect((await cli.run(['rm', vault, 'photos', '--recursive'])).code).toBe(2);
    await cli.succeed(['rm', vault, '2026/first.txt', '--yes']);
    expect(await cli.succeed(['ls', vault, '--recursive'])).toContain('photos/caf\u00e9/deep/c.bin');
  });

  it('CLI-08: keeps the content of a file that exists with --create-only', async () => {
    write('one.txt', 'one');
    await cli.succeed(['upload', vault, 'one.txt', '--create-only']);
    write('one.txt', 'two');
    expect((await cli.run(['upload', vault, 'one.txt', '--create-only'])).code).toBe(1);
    expect(await cli.succeed(['cat', vault, 'one.txt'])).toBe('one');
  });
});
