import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CliFixture } from '../testing/cli-fixture.js';
import { refusal, type Answer } from '../testing/fake-api.js';
import { file, folder, vaultHolds } from '../testing/vault-content.js';

let cli: CliFixture;
beforeAll(async () => {
  cli = await CliFixture.start();
  await cli.openVault();
});
afterAll(() => cli.stop());

const content = [
  folder('fld_1', '2026'),
  folder('fld_2', '2026/11', 'fld_1'),
  file('ing_1', 'a.txt'),
  file('ing_2', 'b.txt', { folder_id: 'fld_1' }),
  file('ing_3', 'c.txt', { folder_id: 'fld_2', size_bytes: 2_000_000 }),
];
const answers = (others: Record<string, Answer> = {}) =>
  cli.api.answers({ ...vaultHolds(content), ...others });
const INGOT = '/v1/vaults/vlt_1/ingots';
const FOLDER = '/v1/vaults/vlt_1/folders';
const changes = () => cli.api.called.filter((call) => !call.startsWith('GET '));
beforeEach(() => answers());

describe('vaultsvc ls', () => {
  it.each([
    ['ls box', '2026/\na.txt\n'],
    ['ls box:2026', '11/\nb.txt\n'],
    ['ls box:/2026/11/', 'c.txt\n'],
    ['ls box --recursive', '2026/\n2026/11/\n2026/11/c.txt\n2026/b.txt\na.txt\n'],
    ['ls box:2026 --recursive', '11/\n11/c.txt\nb.txt\n'],
  ])('CLI-08: lists a folder, or all that it holds: %s', async (line, stdout) => {
    expect(await cli.run(line)).toMatchObject({ code: 0, stdout });
  });

  it('CLI-08 CLI-04: shows sizes and ids with --long, and everything with --json', async () => {
    expect((await cli.run('ls box:2026/11 --long')).stdout).toBe(
      '2.0 MB\t2023-11-14 22:13Z\ttext/plain\ting_3\tc.txt\n',
    );
    expect(JSON.parse((await cli.run('ls box:2026 --json')).stdout)).toMatchObject({
      vault_id: 'vlt_1',
      folder: '2026',
      folders: [{ folder_id: 'fld_2' }],
      files: [{ ingot_id: 'ing_2', path: '2026/b.txt' }],
    });
  });

  it('CLI-08 OPEN-18: finds the files whose names contain a text, below the folder', async () => {
    const found = [file('ing_3', 'c.TXT', { folder_id: 'fld_2' }), file('ing_1', 'ac.txt')];
    const answer = { data: { ingots: found, count: 2, has_more: false, filters: {} } };
    answers({ [`GET ${INGOT}/search?limit=200&contains=C.t`]: answer });
    expect(await cli.run('ls box --name C.t')).toMatchObject({ code: 0, stdout: '2026/11/c.TXT\nac.txt\n' });
    expect(await cli.run('ls box:2026 --name C.t')).toMatchObject({ code: 0, stdout: '11/c.TXT\n' });
  });

  it('CLI-08: lists the vaults without a vault', async () => {
    const vaults = [{ vault_id: 'vlt_1', name: 'box', ingot_count: 3, storage_bytes: 12 }];
    cli.api.answers({ 'GET /v1/vaults': { data: { vaults, count: 1, has_more: false } } });
    expect((await cli.run('ls')).stdout).toBe('vlt_1\t3\t12 B\tbox\n');
  });

  it('CLI-03: exits with 4 for a folder that does not exist', async () => {
    expect(await cli.run('ls box:2025')).toMatchObject({ code: 4, stderr: expect.stringContaining('2025') });
  });
});

describe('vaultsvc cat', () => {
  const bytes = Buffer.from('line\n\u001b[2Jend');
  beforeEach(() =>
    answers({
      [`POST ${INGOT}/ing_3/download`]: {
        data: { download_url: `${cli.api.url}/get`, ingot_id: 'ing_3', size_bytes: bytes.length },
      },
      'GET /get': { status: 206, raw: bytes },
    }),
  );

  it('CLI-05 CLI-08: prints a file by its path exactly, on a terminal without control characters', async () => {
    const piped = await cli.run('cat box 2026/11/C.TXT');
    expect([piped.code, piped.bytes]).toEqual([0, bytes]);
    expect((await cli.run('cat box 2026/11/c.txt', { isTTY: true })).stdout).toBe(String.raw`line
\x1b[2Jend`);
    expect(await cli.run('cat box 2026/c.txt')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('2026/11/c.txt'),
    });
  });
});

describe('vaultsvc mv', () => {
  const renamed = { data: { name: 'x', path: 'x' } };
  beforeEach(() => answers({ [`PATCH ${INGOT}/ing_1`]: renamed, [`PATCH ${FOLDER}/fld_2`]: renamed }));

  it.each([
    ['a.txt x', 'ing_1', { name: 'x', folder_id: null }],
    ['a.txt 2026/11', 'ing_1', { name: 'a.txt', folder_id: 'fld_2' }],
    ['a.txt 2026/11/', 'ing_1', { name: 'a.txt', folder_id: 'fld_2' }],
    ['a.txt 2026/new.txt', 'ing_1', { name: 'new.txt', folder_id: 'fld_1' }],
    ['ing_1 2026', 'ing_1', { name: 'a.txt', folder_id: 'fld_1' }],
    ['2026/11 /', 'fld_2', { name: '11', parent_id: null }],
    ['2026/11 november', 'fld_2', { name: 'november', parent_id: null }],
  ])('CLI-08: renames and moves files and folders: %s', async (words, id, body) => {
    expect((await cli.run(`mv box ${words}`)).code).toBe(0);
    expect(changes()).toEqual([expect.stringMatching(new RegExp(`^PATCH .*/${id}$`))]);
    expect(JSON.parse(String(cli.api.calls.at(-1)?.body))).toEqual(body);
  });

  it('CLI-08 CLI-03: needs the folder that it names, and does not replace a file', async () => {
    for (const words of ['a.txt 2025/', 'a.txt 2025/x', 'none x'])
      expect((await cli.run(`mv box ${words}`)).code).toBe(4);
    expect(changes()).toEqual([]);
    answers({ [`PATCH ${INGOT}/ing_1`]: refusal(409, 'CONFLICT', { reason: 'INGOT_NAME_TAKEN' }) });
    expect((await cli.run('mv box a.txt 2026/b.txt')).code).toBe(1);
  });
});

describe('vaultsvc rm', () => {
  const gone = { status: 204 };
  beforeEach(() =>
    answers({
      [`DELETE ${INGOT}/ing_1`]: gone,
      [`DELETE ${INGOT}/ing_2`]: gone,
      [`DELETE ${INGOT}/ing_3`]: gone,
      [`DELETE ${FOLDER}/fld_1`]: gone,
      [`DELETE ${FOLDER}/fld_2`]: gone,
    }),
  );

  it('CLI-08: deletes files, and folders with --recursive after what they hold', async () => {
    expect((await cli.run('rm box a.txt --yes')).code).toBe(0);
    expect(changes()).toEqual([`DELETE ${INGOT}/ing_1`]);
    answers();
    expect(await cli.run('rm box 2026 --yes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--recursive'),
    });
    expect(changes()).toEqual([]);
  });

  it('CLI-08: deletes a folder from its depth, and counts what goes before it asks', async () => {
    const { code, stderr } = await cli.run('rm box 2026 a.txt --recursive', { typed: 'y\r' });
    expect([code, stderr]).toEqual([0, expect.stringContaining('Delete 3 files and 2 folders? [y/N]')]);
    const calls = changes();
    expect(calls.slice(0, 3).toSorted()).toEqual([1, 2, 3].map((i) => `DELETE ${INGOT}/ing_${i}`));
    expect(calls.slice(3)).toEqual([`DELETE ${FOLDER}/fld_2`, `DELETE ${FOLDER}/fld_1`]);
  });

  it('CLI-03: deletes nothing without a yes, and nothing if one path is unknown', async () => {
    expect((await cli.run('rm box a.txt')).code).toBe(2);
    expect((await cli.run('rm box a.txt', { typed: 'n\r' })).code).toBe(1);
    expect((await cli.run('rm box a.txt none.txt --yes')).code).toBe(4);
    expect((await cli.run('rm box c.txt --yes')).stderr).toContain('There is 2026/11/c.txt.');
    expect(changes()).toEqual([]);
  });

  it('CLI-03: says how much was deleted before a failure', async () => {
    answers({ [`DELETE ${INGOT}/ing_2`]: gone, [`DELETE ${INGOT}/ing_3`]: refusal(403, 'FORBIDDEN') });
    const { code, stderr } = await cli.run('rm box 2026/b.txt 2026/11/c.txt --yes');
    expect([code, stderr]).toEqual([3, expect.stringContaining('Deleted 1 of 2.')]);
  });
});
