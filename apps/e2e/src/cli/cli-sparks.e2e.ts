import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@vaultsvc/testing/waiting';
import { openContext } from '../browser/browser.js';
import { useVisitor } from '../links/use-visitor.js';
import type { Visitor } from '../links/visitor.js';
import { mailsTo } from '../inbox.js';
import { newEmail, signUpOrganization } from '../sign-in.js';
import { stack } from '../stack.js';
import { CliHome } from './cli-home.js';

const { api_url, account, mail_url } = stack();
let cli: CliHome;
let visitor: Visitor;

const browser = useVisitor((arrived) => (visitor = arrived));
beforeAll(async () => {
  cli = await CliHome.make();
  await cli.succeed(['login', '--url', api_url, '--key-stdin'], { input: `${account.api_key}\n` });
});
afterAll(() => cli.remove());

describe('a login', () => {
  it('CLI-06 CLI-03: stores a key that the API accepts, and refuses another with exit code 3', async () => {
    const login = ['login', '--url', api_url, '--key-stdin'];
    const before = readFileSync(cli.path('.config/vaultsvc/config.json'), 'utf8');
    expect(await cli.run(login, { input: 'vk_live_wrong' })).toMatchObject({ code: 3, stdout: '' });
    expect(readFileSync(cli.path('.config/vaultsvc/config.json'), 'utf8')).toBe(before);
    const { url, account: shown } = await cli.json<{ url: string; account: object }>(['whoami']);
    expect({ url, shown }).toMatchObject({ url: api_url, shown: { account_id: account.account_id } });
  });

  it('CLI-02: is refused with exit code 1 while others may read the file of credentials', async () => {
    const path = cli.path('.config/vaultsvc/config.json');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    chmodSync(path, 0o644);
    expect(await cli.run(['whoami'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('chmod 600'),
    });
    chmodSync(path, 0o600);
  });

  it('CLI-06 CLI-03: is needed, or a key in the environment', async () => {
    const other = await CliHome.make();
    expect(await other.run(['whoami'])).toMatchObject({ code: 3 });
    const variables = { VAULTSVC_URL: api_url, VAULTSVC_API_KEY: account.api_key };
    expect((await other.run(['whoami'], { variables })).code).toBe(0);
    other.remove();
  });

  it('CLI-06: signs in a person, who confirms a code in a browser', async () => {
    const email = newEmail();
    await signUpOrganization('Device login', { email });
    const person = await CliHome.make();
    const login = person.start(['login', '--url', api_url, '--device', '--json']);
    await until(async () => /enter \S+\./.test(login.stderr()));
    const [, uri = '', code = ''] = /Open (\S+) in .* enter (\S+)\./.exec(login.stderr()) ?? [];
    const page = await (await openContext(browser())).newPage();
    await page.goto(uri);
    await page.getByLabel('Code').fill(code);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Confirm the code' }).waitFor();
    expect(await page.locator('code').textContent()).toBe(code);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Done' }).waitFor();
    await page.context().close();
    expect(await login.result).toMatchObject({ code: 0 });
    expect(await person.json(['whoami'])).toMatchObject({ credential: 'session', user: { email } });
    await person.succeed(['logout']);
    expect((await person.run(['whoami'])).code).toBe(3);
    person.remove();
  });
});

describe('vaultsvc send and read', () => {
  it('CLI-05: prints the link alone, which a visitor opens in a browser once', async () => {
    const link = await cli.succeed(['send', '--expires', '1h'], { input: 'correct horse' });
    expect(link).toMatch(/^http\S+\n$/);
    await visitor.page.goto(link.trim());
    await visitor.page.getByRole('button', { name: 'Show it once' }).click();
    await visitor.page.locator('pre').waitFor();
    expect(await visitor.page.locator('pre').textContent()).toBe('correct horse');
    expect(await cli.run(['read', link.trim()])).toMatchObject({ code: 4, stdout: '' });
  });

  it('CLI-05 CLI-03: returns a binary file byte for byte, and exit code 4 the second time', async () => {
    const content = randomBytes(10_000);
    writeFileSync(cli.path('key.bin'), content);
    const link = (await cli.succeed(['send', 'key.bin'])).trim();
    // The link itself need not be an argument.
    await cli.succeed(['read', '-', '--out', 'got.bin'], { input: link });
    expect(readFileSync(cli.path('got.bin')).equals(content)).toBe(true);
    expect(statSync(cli.path('got.bin')).mode & 0o777).toBe(0o600);
    expect((await cli.run(['read', link])).code).toBe(4);
  });

  it('CLI-04 CLI-05: prints one object with --json, by whose id the account reads the Spark', async () => {
    const sent = await cli.json<{ spark_id: string }>(['send'], { input: 'for us' });
    expect(sent).toMatchObject({ share_url: expect.stringContaining('http'), visibility: 'public' });
    expect(await cli.json(['read', sent.spark_id])).toMatchObject({ payload: 'for us' });
    const { code, stderr } = await cli.run(['read', sent.spark_id, '--json']);
    expect({ code, error: JSON.parse(stderr) }).toMatchObject({
      code: 4,
      error: { error: { exit_code: 4 } },
    });
  });

  it('CLI-05: does not open a link whose content cannot be saved', async () => {
    const link = (await cli.succeed(['send'], { input: 'kept' })).trim();
    const missing = cli.path('none', 'got.txt');
    expect(await cli.run(['read', link, '--out', missing])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('folder does not exist'),
    });
    expect(await cli.run(['read', link, '--out', 'key.bin'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('exists already'),
    });
    expect(await cli.succeed(['read', link])).toBe('kept');
  });

  it('CLI-05 CLI-03: creates no Spark for a recipient that is none', async () => {
    // Other tests create Sparks of the account at the same time; none of them has this size.
    const input = 'x'.repeat(4_321);
    for (const recipient of ['Ann <a@b.test>', 'ann@example.com,']) {
      const { code, stderr } = await cli.run(['send', '--for', recipient], { input });
      expect([code, stderr.match(/--for/g)?.length]).toEqual([2, 1]);
    }
    const headers = { 'X-API-Key': account.api_key };
    const list = (await (await fetch(`${api_url}/v1/sparks?limit=100`, { headers })).json()) as {
      data: { sparks: { size_bytes: number }[] };
    };
    expect(list.data.sparks.length).toBeGreaterThan(0);
    expect(list.data.sparks.filter(({ size_bytes }) => size_bytes === input.length)).toEqual([]);
  });

  it('CLI-05: invites a recipient, and opens nothing without the code that was sent', async () => {
    const email = newEmail();
    const link = (await cli.succeed(['send', '--for', email], { input: 'for Ann' })).trim();
    await until(async () => (await mailsTo(mail_url, email)).some(({ text }) => text.includes(link)));
    // No terminal, no code.
    const read = await cli.run(['read', link, '--identity', email]);
    expect(read).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('no terminal') });
  });

  it('SPK-54 CLI-10: sends the invitation again', async () => {
    const email = newEmail();
    const { spark_id, share_url } = await cli.json<{ spark_id: string; share_url: string }>(
      ['send', '--for', email],
      { input: 'for Ann' },
    );
    await cli.succeed(['sparks', 'resend', spark_id]);
    const invitations = async () =>
      (await mailsTo(mail_url, email)).filter(({ text }) => text.includes(share_url));
    await until(async () => (await invitations()).length === 2);
  });
});
