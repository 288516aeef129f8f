import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { ExportProblem } from '@vaultsvc/transparency';
import { workspace } from '../stack/settings.ts';
import { splitLines } from '@vaultsvc/cli/audit';

const execute = promisify(execFile);

let folder: string;
let log: string;
let lines: string[];
let key: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vaultsvc-audit-'));
  log = join(folder, 'log');
  await audit('sample', log, '--heads', '600');
  lines = (await readFile(join(log, 'export.jsonl'), 'utf8')).trimEnd().split('\n');
  key = await readFile(join(log, 'key'), 'utf8');
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the command as a person does, with its exit code. */
async function audit(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const run = execute(process.execPath, ['tools/audit/run.ts', ...args], { cwd: workspace });
  return run.then(
    (output) => ({ code: 0, ...output }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

async function verify(exported: readonly string[], ...options: string[]) {
  const path = join(folder, 'export.jsonl');
  await writeFile(path, exported.map((line) => `${line}\n`).join(''));
  return audit('verify', path, ...options);
}

describe('npm run audit', () => {
  it('AUD-14: prints its help without arguments', async () => {
    expect(await audit()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('npm run audit -- verify'),
    });
  });

  it.each([
    [['frob']],
    [['verify']],
    [['verify', 'a', 'b']],
    [['verify', '/nonexistent']],
    [['verify', 'package.json', '--key', 'no key']],
    [['verify', 'package.json', '--frob']],
    [['verify', 'package.json', '--tiles', '/nonexistent']],
    [['files', 'package.json']],
    [['sample', '.', '--heads', '5']],
    [['sample', '/nonexistent/log', '--heads', '0']],
    [['interop', '.']],
  ])('AUD-14: exits with 2 for the arguments %j', async (args) => {
    expect(await audit(...args)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('help'),
    });
  });
});

describe('npm run audit -- verify', () => {
  it('AUD-14: says what an export alone does not decide', async () => {
    const { code, stdout } = await verify(lines);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^INTACT, as far as it was verified\./)]);
    for (const option of ['--key', '--checkpoint', '--tiles']) expect(stdout).toContain(option);
  });

  it('AUD-14: decides everything with a key, a pinned checkpoint and tiles', async () => {
    const pinned = join(log, 'older-checkpoint');
    const { code, stdout } = await verify(lines, '--key', key, '--checkpoint', pinned, '--tiles', log);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^INTACT\.\n/)]);
    expect(stdout).not.toContain('Not decided');
    expect(stdout).toContain('300 leaves, the same history: shown by --tiles');
  });

  it('AUD-14: uses the proof in the export without tiles', async () => {
    const { stdout } = await verify(lines, '--key', key, '--checkpoint', join(log, 'older-checkpoint'));
    expect(stdout).toContain('300 leaves, the same history: shown by the consistency proof in the export');
    const later = await verify(lines.toSpliced(2, 1), '--checkpoint', join(log, 'older-checkpoint'));
    expect(later.stdout).toContain('export with from_size=300, or give --tiles');
  });

  it('AUD-14: exits with 1 and names what is wrong', async () => {
    const edited = lines.map((line) => line.replace('"size_bytes":150', '"size_bytes":151'));
    const { code, stdout } = await verify(edited);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^NOT INTACT: edited, first bad entry: 50\n/)]);
    const cut = lines.slice(0, -3).map((line) => line.replace('"last_seq":96', '"last_seq":94'));
    expect(await verify(cut, '--tiles', log)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^NOT INTACT: cut-tail, first bad entry: 95\n/),
    });
    expect(await verify(['no export'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('malformed'),
    });
  });

  it('AUD-14: refuses a pinned checkpoint of another key', async () => {
    const other = join(folder, 'other');
    await audit('sample', other, '--heads', '900');
    const pinned = join(other, 'older-checkpoint');
    const { code, stdout } = await verify(lines, '--checkpoint', pinned);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^NOT INTACT: bad-signature\n/)]);
  });
});

describe('npm run audit -- files', () => {
  it('AUD-14: lists the files of the log', async () => {
    const { stdout } = await audit('files', join(log, 'checkpoint'));
    const paths = stdout.trimEnd().split('\n');
    expect(paths).toHaveLength(7);
    const there = await readdir(log, { recursive: true });
    expect(paths.filter((path) => !there.includes(path))).toEqual([]);
    const entries = await audit('files', join(log, 'checkpoint'), '--entries');
    expect(entries.stdout).toBe('tile/entries/000\ntile/entries/001\ntile/entries/002.p/88\n');
  });
});

describe('The lines of an export', () => {
  const split = async (chunks: readonly (string | Buffer)[]) => {
    const found: string[] = [];
    for await (const line of splitLines(Readable.from(chunks, { objectMode: false }))) found.push(line);
    return found;
  };

  it('AUD-15: end at newlines only, at any boundary of chunks', async () => {
    const bytes = Buffer.from('a\u2028é\r\n\nlast');
    for (let place = 0; place <= bytes.length; place += 1)
      expect(await split([bytes.subarray(0, place), bytes.subarray(place)])).toEqual([
        'a\u2028é\r',
        '',
        'last',
      ]);
    expect(await split([])).toEqual([]);
  });

  it('AUD-15: are not longer than 1 MiB', async () => {
    await expect(split(['x'.repeat(1_000_000), 'x'.repeat(1_000_000)])).rejects.toThrow(ExportProblem);
  });
});
