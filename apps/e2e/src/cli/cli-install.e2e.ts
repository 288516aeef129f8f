import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from '@jest/globals';
import { oldestNode } from '../../../../tools/node/oldest-node.ts';
import { stack } from '../stack.js';

const { api_url, account } = stack();
const folder = mkdtempSync(join(tmpdir(), 'vaultsvc-install-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The blocks of commands of the page, as a browser copies them. */
async function commandsOfPage(): Promise<string[]> {
  const page = await (await fetch(`${api_url}/docs/install`)).text();
  const blocks = [...page.matchAll(/<pre[^>]*><code>([^]*?)<\/code>/g)];
  return blocks.map(([, text = '']) =>
    text
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&gt;', '>')
      .replaceAll('&lt;', '<')
      .replaceAll('&amp;', '&'),
  );
}

/** Runs commands in a folder that is the home of a user with the oldest Node. */
async function paste(home: string, commands: string): Promise<string> {
  mkdirSync(home, { recursive: true });
  const PATH = [join(home, 'npm/bin'), dirname(oldestNode()), process.env.PATH].join(delimiter);
  const env = { PATH, HOME: home, npm_config_prefix: join(home, 'npm'), API_KEY: account.api_key };
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-euc', commands], { cwd: home, env });
  return stdout;
}

/** Uses the installed command line: a Spark, and a file in a vault of its own. */
const use = () => `
printf %s "$API_KEY" | vaultsvc login --url ${api_url} --key-stdin
link=$(echo -n 'correct horse' | vaultsvc send)
vaultsvc read "$link"; echo
vaultsvc vault create ${randomBytes(8).toString('hex')} --save --json > vault.json
vault=$(node -p 'JSON.parse(require("fs").readFileSync("vault.json")).vault_id')
vaultsvc upload "$vault" sent.bin
vaultsvc download "$vault" sent.bin --out received.bin
`;

describe('PKG-03: in an empty folder, with Node 20 and the origin of a deployment,', () => {
  it.each([
    ['as one file', 0, 2],
    ['with npm', 2, 3],
    ['with npm and a checksum', 3, 4],
  ])('the commands of /docs/install make the command line work, %s', async (name, from, to) => {
    const home = join(folder, name.replaceAll(' ', '-'));
    mkdirSync(home);
    writeFileSync(join(home, 'sent.bin'), randomBytes(100_000));
    const commands = (await commandsOfPage()).slice(from, to);
    expect(await paste(home, [...commands, use()].join('\n'))).toContain('\ncorrect horse\n');
    expect(readFileSync(join(home, 'received.bin')).equals(readFileSync(join(home, 'sent.bin')))).toBe(true);
  });

  it('a file that was changed on its way fails at its checksum, before anything runs', async () => {
    const [commands = ''] = await commandsOfPage();
    const [download = '', ...others] = commands.split('\n');
    const changed = [download, "printf ' ' >> vaultsvc.mjs", ...others, 'touch ran'].join('\n');
    await expect(paste(join(folder, 'changed'), changed)).rejects.toMatchObject({
      stdout: expect.stringContaining('vaultsvc.mjs: FAILED'),
    });
    expect(existsSync(join(folder, 'changed/ran'))).toBe(false);
  });
});
