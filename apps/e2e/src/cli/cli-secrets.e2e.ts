import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@vaultsvc/crypto/encoding';
import { eventually } from '@vaultsvc/testing/waiting';
import { formsOf } from '../canary-forms.js';
import { stack } from '../stack.js';
import { CliHome } from './cli-home.js';

const { api_url, account } = stack();
const vault = newId('vault_');
const password = `canary-${randomBytes(16).toString('hex')}`;
let cli: CliHome;

beforeAll(async () => {
  cli = await CliHome.make();
  await cli.succeed(['login', '--url', api_url, '--key-stdin'], { input: account.api_key });
  await cli.succeed(['vault', 'create', vault, '--save']);
  const input = JSON.stringify({ DB_PASSWORD: password, RETRIES: 3, 'not-a-variable': 'x' });
  await cli.succeed(['secrets', 'set', vault, 'shop', '--create', '--stdin'], { input });
});
afterAll(() => cli.remove());

const run = (program: string, ...options: string[]) =>
  cli.run(['secrets', 'run', vault, 'shop', '--only', 'DB_PASSWORD', ...options, '--', 'sh', '-c', program]);

describe('a set of secrets', () => {
  it('CLI-09: lists its keys without values, and prints a value exactly', async () => {
    expect(await cli.succeed(['secrets', 'get', vault, 'shop'])).toBe(
      'DB_PASSWORD\nRETRIES\nnot-a-variable\n',
    );
    expect(await cli.succeed(['secrets', 'get', vault, 'shop', 'DB_PASSWORD'])).toBe(password);
    expect(await cli.json(['secrets', 'get', vault, 'shop', 'RETRIES', 'DB_PASSWORD'])).toEqual({
      values: { RETRIES: '3', DB_PASSWORD: password },
    });
    expect((await cli.run(['secrets', 'get', vault, 'shop', 'MISSING'])).code).toBe(4);
  });

  it('CLI-09: changes the given keys only, and is created on request only', async () => {
    const words = ['secrets', 'set', vault, 'changing'];
    const change = [...words, 'B', '--stdin', '--delete', 'C'];
    expect((await cli.run(change, { input: 'two\n' })).code).toBe(4);
    const input = '{"A":"1","C":"3"}';
    await cli.succeed([...words, '--create', '--stdin'], { input });
    await cli.succeed(change, { input: 'two\n' });
    expect(await cli.json(['secrets', 'get', vault, 'changing', 'A', 'B'])).toEqual({
      values: { A: '1', B: 'two' },
    });
    expect(await cli.json(['secrets', 'get', vault, 'changing'])).toMatchObject({ keys: ['A', 'B'] });
    const bad = await cli.run([...words, '--stdin'], { input: `{"A":"${password}"` });
    expect(bad).toMatchObject({ code: 2, stderr: expect.not.stringContaining(password) });
  });

  it('CLI-09: keeps a private key as it is, and stores no bytes that would be changed', async () => {
    const words = ['secrets', 'set', vault, 'keys', '--create', 'K', '--stdin'];
    const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    const value = () => cli.succeed(['secrets', 'get', vault, 'keys', 'K']);
    await cli.succeed(words, { input: pem });
    expect(await value()).toBe(pem);
    const input = Buffer.from('caf\xe9', 'latin1');
    expect(await cli.run(words, { input })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('not UTF-8'),
    });
    expect(await value()).toBe(pem);
    await cli.succeed([...words, '--base64'], { input });
    expect(await value()).toBe(input.toString('base64'));
  });

  it('CLI-09: is the environment of a program, whose exit code is returned', async () => {
    const print = 'printf %s "$DB_PASSWORD"; exit 7';
    expect(await run(print, '--no-masking')).toMatchObject({ code: 7, stdout: password });
    expect(await run(print)).toMatchObject({ code: 7, stdout: '<concealed by vaultsvc>' });
    expect(await run('kill -TERM $$')).toMatchObject({ code: 143 });
    expect((await cli.run(['secrets', 'run', vault, 'shop', '--', 'true'])).stderr).toContain(
      'not-a-variable',
    );
    const missing = ['secrets', 'run', vault, 'shop', '--only', 'RETRIES', '--', 'no-such-program'];
    expect((await cli.run(missing)).code).toBe(127);
  });

  it('CLI-09 CLI-02: keeps the credentials of the CLI from the program', async () => {
    const words = ['secrets', 'run', vault, 'shop', '--only', 'RETRIES', '--', 'env'];
    const variables = { VAULTSVC_URL: api_url, VAULTSVC_API_KEY: account.api_key };
    const { stdout } = await cli.run(words, { variables });
    expect(stdout).toContain('RETRIES=3');
    expect(stdout).not.toContain('VAULTSVC_');
  });

  it('CLI-09: passes a signal to the program', async () => {
    const program = 'trap "echo asked; exit 9" TERM; echo ready >&2; while :; do sleep 0.05; done';
    const words = ['secrets', 'run', vault, 'shop', '--only', 'RETRIES', '--', 'sh', '-c', program];
    const running = cli.start(words);
    await eventually(
      async () => running.stderr(),
      (text) => text.includes('ready'),
    );
    running.child.kill('SIGTERM');
    expect(await running.result).toMatchObject({ code: 9, stdout: 'asked\n' });
  });
});

describe('secrets on the machine of a user', () => {
  it('CLI-01: are in no command line of a process while commands handle them', async () => {
    const program = 'echo ready >&2; read -r _ < /proc/self/stat; exec sleep 60';
    const words = ['secrets', 'run', vault, 'shop', '--only', 'DB_PASSWORD', '--', 'sh', '-c', program];
    const running = cli.start(words);
    await eventually(
      async () => running.stderr(),
      (text) => text.includes('ready'),
    );
    const lines = commandLines();
    expect(lines.some((line) => line.includes('secrets') && line.includes(vault))).toBe(true);
    const secrets = [password, account.api_key];
    expect(lines.filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([]);
    running.child.kill('SIGTERM');
    await running.result;
  });

  it('CLI-01 CLI-02: are in files with mode 0600 alone, and values and Sparks in none', async () => {
    const spark = `canary-${randomBytes(16).toString('hex')}`;
    const link = (await cli.succeed(['send'], { input: spark })).trim();
    await cli.succeed(['read', link]);
    await cli.run(['send', spark]);
    const found = (secret: string) => filesWith(cli.folder, formsOf(Buffer.from(secret)));
    expect([found(spark), found(password), found(link)]).toEqual([[], [], []]);
    expect(found(account.api_key)).toEqual([{ name: '.config/vaultsvc/config.json', mode: 0o600 }]);
  });
});

/** The command lines of all processes. */
function commandLines(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
      } catch {
        return ''; // It has ended.
      }
    });
}

/** The files below a folder that contain one of these texts. */
function filesWith(folder: string, texts: readonly string[]): { name: string; mode: number }[] {
  const names = (readdirSync(folder, { recursive: true }) as string[]).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
  expect(names.length).toBeGreaterThan(0);
  const hits = names.filter((name) => {
    const content = readFileSync(join(folder, name), 'latin1');
    return texts.some((text) => content.includes(text));
  });
  return hits.map((name) => ({ name, mode: statSync(join(folder, name)).mode & 0o777 }));
}
