import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeVault } from '../../../client/src/testing/fake-vault.js';
import { CliFixture } from '../testing/cli-fixture.js';

let cli: CliFixture;
let vault: FakeVault;
let folder: string;
let link: string;
let runs = 0;
const content = randomBytes(3_000_000);

beforeAll(async () => void ([cli, vault] = await Promise.all([CliFixture.start(), FakeVault.start()])));
beforeEach(() => {
  folder = cli.path(`run-${(runs += 1)}`);
  mkdirSync(folder);
  vault.namesVersions = true;
  delete vault.faults.onSent;
  link = vault.share(vault.store('a.bin', content));
});
afterAll(() => Promise.all([cli.stop(), vault.stop()]));

const out = () => `${folder}/got.bin`;
const read = (...words: string[]) =>
  cli.run(['read', link, ...(words.length > 0 ? words : ['--out', out()])]);
const opened = () => vault.calls.filter((call) => call.endsWith('/burn')).length;
const notes = () =>
  readdirSync(cli.path('state'), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.json'));

/** Presses Ctrl-C in the middle of the file. */
async function interrupt(...words: string[]) {
  const control = new AbortController();
  vault.faults.onSent = (bytes) => void (bytes > 1_500_000 && control.abort());
  const ran = await cli.run(['read', link, ...(words.length > 0 ? words : ['--out', out()])], {
    signal: control.signal,
  });
  delete vault.faults.onSent;
  return ran;
}

describe('the file of a link that opens once', () => {
  it('OPEN-22: is gone on with by the same command, until it is verified', async () => {
    const interrupted = await interrupt();
    expect([interrupted.code, readdirSync(folder).length]).toEqual([130, 1]);
    expect(interrupted.stderr).toMatch(/Run the same command again until .+ to go on with it/);
    expect(notes().map((note) => statSync(cli.path('state', note)).mode & 0o777)).toEqual([0o600, 0o600]);
    expect(notes().join()).not.toContain(link.split('/').at(-1));
    const before = opened();
    const resumed = await read();
    expect(resumed).toMatchObject({
      code: 0,
      stdout: `${out()}\n`,
      stderr: expect.stringContaining('Going on'),
    });
    expect([readFileSync(out()).equals(content), readdirSync(folder), notes(), opened()]).toEqual([
      true,
      ['got.bin'],
      [],
      before,
    ]);
    expect((await read('--out', `${folder}/again`)).code).toBe(4);
  });

  it('CLI-08 ING-43: has the modification time of the file that was uploaded, also after an interruption', async () => {
    link = vault.share(vault.store('a.bin', content, 1_234_567_890));
    expect((await interrupt()).code).toBe(130);
    expect((await read()).code).toBe(0);
    expect(statSync(out()).mtime.toISOString()).toBe('2009-02-13T23:31:30.000Z');
  });

  it('OPEN-22: goes to another file if the first was taken meanwhile', async () => {
    await interrupt();
    writeFileSync(out(), 'mine');
    expect(await read()).toMatchObject({ code: 1, stderr: expect.stringContaining('exists already') });
    expect((await read('--out', `${folder}/other`)).code).toBe(0);
    expect(readFileSync(`${folder}/other`).equals(content)).toBe(true);
    expect([readFileSync(out(), 'utf8'), readdirSync(folder).sort()]).toEqual(['mine', ['got.bin', 'other']]);
  });

  it('OPEN-22: is printed again from its beginning after an interruption', async () => {
    expect((await interrupt('--out', '-')).code).toBe(130);
    const { code, bytes } = await read('--out', '-');
    expect([code, bytes.equals(content), notes()]).toEqual([0, true, []]);
  });

  it('OPEN-22: is gone when its URL has ended, and nothing is left', async () => {
    await interrupt();
    vault.endUrls();
    expect(await read()).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('can be continued no more'),
    });
    expect([readdirSync(folder), notes()]).toEqual([[], []]);
  });

  it('OPEN-22: is downloaded once from a server that cannot resume, which the command says', async () => {
    vault.namesVersions = false;
    const { code, stderr } = await read();
    expect([code, readFileSync(out()).equals(content)]).toEqual([0, true]);
    expect(stderr).toContain('is not verified');
    link = vault.share(vault.store('a.bin', content));
    const interrupted = await interrupt('--out', `${folder}/other`);
    expect(interrupted).toMatchObject({ code: 130, stderr: expect.stringContaining('cannot resume') });
    expect([readdirSync(folder), notes()]).toEqual([['got.bin'], []]);
  });

  it('OPEN-22: replaces no file that appears meanwhile, and is kept beside it', async () => {
    vault.faults.onSent = () => void writeFileSync(out(), 'mine');
    const { code, stderr } = await read();
    const [, kept = ''] = /The content is in (\S+)\./.exec(stderr) ?? [];
    expect([code, readFileSync(out(), 'utf8'), readFileSync(kept).equals(content)]).toEqual([
      1,
      'mine',
      true,
    ]);
  });

  it('CLI-05: is read by one command at a time', async () => {
    const other = vault.share(vault.store('b.bin', randomBytes(content.length)));
    const [first, second] = await Promise.all([read(), cli.run(['read', other, '--out', out()])]);
    const codes = [first.code, second.code].sort();
    expect(codes).toEqual([0, 1]);
    const loser = first.code === 0 ? second : first;
    expect(loser.stderr).toMatch(/is being written by another command, process \d+|exists already/);
    expect((await cli.run(['read', first.code === 0 ? other : link, '--out', `${folder}/other`])).code).toBe(
      0,
    );
  });
});
