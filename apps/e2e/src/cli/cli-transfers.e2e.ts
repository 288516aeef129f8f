import { createHash, randomBytes } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@vaultsvc/crypto/encoding';
import { until } from '@vaultsvc/testing/waiting';
import { stack } from '../stack.js';
import { RandomFile } from '../upload/random-file.js';
import { CliHome, type CliResult, type RunningCli } from './cli-home.js';

const CHUNK_BYTES = 52_428_800;
/** Six chunks, so that there is time to interrupt. */
const BYTES = 6 * CHUNK_BYTES - 1_000;

const { api_url, account } = stack();
const vault = newId('vault_');
let cli: CliHome;
let file: RandomFile;

beforeAll(async () => {
  cli = await CliHome.make();
  file = await RandomFile.make('backup.bin', BYTES);
  await cli.succeed(['login', '--url', api_url, '--key-stdin'], { input: account.api_key });
  await cli.succeed(['vault', 'create', vault, '--save']);
});
afterAll(async () => {
  cli.remove();
  await file.remove();
});

const states = () => cli.path('.local/state/vaultsvc/uploads');
const stateFiles = () =>
  existsSync(states()) ? readdirSync(states()).filter((name) => name.endsWith('.json')) : [];

/** The bytes that Forge has of the unfinished upload. */
async function offset(): Promise<number> {
  const [name] = stateFiles();
  if (name === undefined) return 0;
  const { uploadUrl } = JSON.parse(readFileSync(join(states(), name), 'utf8')) as { uploadUrl?: string };
  if (uploadUrl === undefined) return 0;
  const response = await fetch(uploadUrl, { method: 'HEAD', headers: { 'Tus-Resumable': '1.0.0' } });
  return Number(response.headers.get('upload-offset') ?? 0);
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest('hex');
}

/** Starts a command and sends it a signal once the condition holds. Resolves with undefined if it was complete before that. */
async function interrupt(
  words: readonly string[],
  signal: NodeJS.Signals,
  holds: (running: RunningCli) => boolean | Promise<boolean>,
): Promise<CliResult | undefined> {
  const running = cli.start(words);
  let isOver = false;
  void running.result.then(() => (isOver = true));
  await until(async () => isOver || (await holds(running)));
  running.child.kill(signal);
  const result = await running.result;
  return result.code === 0 ? undefined : result;
}

/** Repeats until there is a result. */
async function firstOf<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const result = await attempt();
    if (result !== undefined) return result;
  }
}

describe('a file of 300 MB', () => {
  it('CLI-08: is uploaded by the same command after kill -9 and after Ctrl-C', async () => {
    const words = ['upload', vault, file.path];
    const kill = () =>
      firstOf(() => interrupt(words, 'SIGKILL', async () => (await offset()) >= CHUNK_BYTES));
    expect((await kill()).code).toBeNull();
    let kept = await offset();
    expect(kept).toBeGreaterThanOrEqual(CHUNK_BYTES);
    expect(stateFiles().map((name) => statSync(join(states(), name)).mode & 0o777)).toEqual([0o600]);

    const second = await firstOf(async () => {
      if (stateFiles().length === 0) await kill();
      kept = await offset();
      return interrupt(words, 'SIGINT', (running) => running.stderr().includes('Resuming'));
    });
    expect(second).toMatchObject({
      code: 130,
      stdout: '',
      stderr: expect.stringContaining('Run the same command again to resume.'),
    });
    expect(await offset()).toBeGreaterThanOrEqual(kept);

    const third = await cli.run(words);
    expect(third).toMatchObject({ code: 0, stderr: expect.stringContaining('Resuming') });
    expect(third.stdout).toMatch(/^ing_\S+\n$/);
    expect(stateFiles()).toEqual([]);
  });

  it('CLI-08: is downloaded equal after kill -9, and never appears before it is complete', async () => {
    const words = ['download', vault, 'backup.bin', '--out', 'got.bin'];
    const partSizes = () =>
      readdirSync(cli.folder)
        .filter((name) => name.endsWith('.part'))
        .map((name) => statSync(cli.path(name)).size);
    await firstOf(() => {
      rmSync(cli.path('got.bin'), { force: true });
      return interrupt(words, 'SIGKILL', () => partSizes().some((size) => size > 0));
    });
    expect(existsSync(cli.path('got.bin'))).toBe(false);
    expect(partSizes()).toHaveLength(1);

    expect(await cli.json(words)).toMatchObject({ name: 'backup.bin', size_bytes: BYTES, verified: true });
    expect(await hashOf(cli.path('got.bin'))).toBe(file.hash);
    expect([partSizes(), statSync(cli.path('got.bin')).mode & 0o777]).toEqual([[], 0o600]);
    expect(await cli.run(words)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('exists already'),
    });
  });

  it('CLI-08: is uploaded from the standard input, and downloaded to the standard output', async () => {
    // More than a chunk.
    const input = randomBytes(45_000_000).toString('base64');
    await cli.succeed(['upload', vault, '-', '--name', 'piped.txt'], { input });
    const output = await cli.succeed(['download', vault, 'piped.txt', '--out', '-']);
    expect(output === input).toBe(true);
    expect(existsSync(cli.path('-'))).toBe(false);
  });

  it('CLI-08: has a link that downloads it once', async () => {
    const link = (await cli.succeed(['vault', 'share', vault, 'backup.bin', '--expires', '10m'])).trim();
    await cli.succeed(['read', link, '--out', 'linked.bin']);
    expect(await hashOf(cli.path('linked.bin'))).toBe(file.hash);
    expect((await cli.run(['read', link, '--out', 'again.bin'])).code).toBe(4);
  });
});

describe('a file of 2009', () => {
  const YEAR_2009 = '2009-02-13T23:31:30.000Z';
  const timeOf = (name: string) => statSync(cli.path(name)).mtime.toISOString();

  it('ING-43: is of 2009 again where it is downloaded, and where its link is read', async () => {
    writeFileSync(cli.path('old.txt'), 'old');
    utimesSync(cli.path('old.txt'), 1_234_567_890, 1_234_567_890);
    await cli.succeed(['upload', vault, 'old.txt']);
    await cli.succeed(['download', vault, 'old.txt', '--out', 'downloaded.txt']);
    const link = (await cli.succeed(['vault', 'share', vault, 'old.txt', '--expires', '10m'])).trim();
    await cli.succeed(['read', link, '--out', 'linked.txt']);
    expect(['downloaded.txt', 'linked.txt'].map(timeOf)).toEqual([YEAR_2009, YEAR_2009]);
  });
});

describe('a vault', () => {
  it('CLI-07: shows its master key once, which opens it until it is sealed', async () => {
    const name = newId('vault_');
    const vmk = await cli.succeed(['vault', 'create', name]);
    expect(vmk).toMatch(/^vmk_\S+\n$/);
    writeFileSync(cli.path('note.txt'), 'a note');
    expect((await cli.run(['upload', name, 'note.txt'])).code).toBe(3);
    await cli.succeed(['vault', 'open', name, '--key-stdin', '--expires', '10m'], { input: vmk });
    await cli.succeed(['upload', name, 'note.txt']);
    await cli.succeed(['vault', 'seal', name]);
    expect((await cli.run(['download', name, 'note.txt', '--out', 'sealed.txt'])).code).toBe(3);
    expect(readFileSync(cli.path('.config/vaultsvc/config.json'), 'utf8')).not.toContain(vmk.trim());
  });

  it('CLI-07: is called sealed after another user has sealed it, and is opened again', async () => {
    const name = newId('vault_');
    const vmk = await cli.succeed(['vault', 'create', name]);
    const open = () => cli.succeed(['vault', 'open', name, '--key-stdin'], { input: vmk });
    await open();
    const other = await CliHome.make();
    const variables = { VAULTSVC_URL: api_url, VAULTSVC_API_KEY: account.api_key };
    await other.succeed(['vault', 'seal', name], { variables });
    other.remove();
    const upload = ['upload', name, '-', '--name', 'a.txt'];
    expect(await cli.run(upload, { input: 'a' })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`The vault is sealed. Run: vaultsvc vault open ${name}`),
    });
    await open();
    await cli.succeed(upload, { input: 'a' });
  });

  it('CLI-07: opens with a delegated key, which reads and does not write', async () => {
    const purpose = ['--purpose', 'nightly backup', '--read-only'];
    const key = await cli.succeed(['vault', 'share', vault, ...purpose]);
    const reader = await CliHome.make();
    const variables = { VAULTSVC_URL: api_url, VAULTSVC_API_KEY: account.api_key };
    await reader.succeed(['vault', 'open', vault, '--key-stdin'], { input: key, variables });
    expect(await reader.run(['upload', vault, file.path], { variables })).toMatchObject({ code: 3 });
    reader.remove();
  });
});
