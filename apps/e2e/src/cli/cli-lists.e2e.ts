import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@vaultsvc/crypto/encoding';
import { stack } from '../stack.js';
import { CliHome } from './cli-home.js';

const { api_url, account } = stack();
let cli: CliHome;

beforeAll(async () => {
  cli = await CliHome.make();
  await cli.succeed(['login', '--url', api_url, '--key-stdin'], { input: account.api_key });
});
afterAll(() => cli.remove());

describe('what an account has', () => {
  it('CLI-05: are Sparks and links, which are listed, burned and revoked', async () => {
    const sent = await cli.json<{ spark_id: string }>(['send'], { input: 'one' });
    const link = (await cli.succeed(['send'], { input: 'two' })).trim();
    expect(await cli.succeed(['sparks', 'list', '--status', 'active'])).toContain(sent.spark_id);
    await cli.succeed(['sparks', 'burn', sent.spark_id, '--yes']);
    expect((await cli.run(['read', sent.spark_id])).code).toBe(4);
    expect(await cli.succeed(['links', 'list'])).toContain(link.split('/').at(-1));
    expect((await cli.run(['links', 'revoke', link])).code).toBe(2);
    await cli.succeed(['links', 'revoke', link, '--yes']);
    expect((await cli.run(['read', link])).code).toBe(4);
  });

  it('CLI-07: are API keys, which work until they are revoked', async () => {
    const name = newId('job_');
    const key = (await cli.succeed(['keys', 'create', name, '--days', '1'])).trim();
    const whoami = () => cli.run(['whoami'], { variables: { VAULTSVC_URL: api_url, VAULTSVC_API_KEY: key } });
    expect((await whoami()).code).toBe(0);
    expect(await cli.succeed(['keys', 'list'])).toContain(name);
    await cli.succeed(['keys', 'revoke', name, '--yes']);
    expect((await whoami()).code).toBe(3);
  });

  it('DVK-07 CLI-07: are delegated keys of vaults, which open them until they are revoked', async () => {
    const vault = newId('vault_');
    await cli.succeed(['vault', 'create', vault, '--save']);
    const create = ['vault', 'keys', 'create', vault, '--purpose', 'nightly', '--read-only'];
    const key = (await cli.succeed(create)).trim();
    const open = () => cli.run(['vault', 'open', vault, '--key-stdin'], { input: key });
    expect((await open()).code).toBe(0);
    expect(await cli.succeed(['vault', 'keys', 'list', vault])).toMatch(
      new RegExp(`^${key.slice(-4)}\tactive\tread\t.*\tnightly\n$`),
    );
    await cli.succeed(['vault', 'keys', 'revoke', vault, '--yes', '--', key.slice(-4)]);
    expect((await open()).code).toBe(3);
  });

  it('CLI-10: are people and settings', async () => {
    const address = `${randomBytes(8).toString('hex')}@example.test`;
    await cli.succeed(['people', 'invite', address, '--role', 'member']);
    await cli.succeed(['people', 'role', address, 'admin']);
    const { people } = await cli.json<{ people: { email: string; role: string }[] }>(['people', 'list']);
    expect(people).toContainEqual(expect.objectContaining({ email: address, role: 'admin' }));
    await cli.succeed(['people', 'remove', address, '--yes']);
    expect((await cli.run(['people', 'role', address, 'member'])).code).toBe(4);
    await cli.succeed(['settings', 'set', 'cli_theme', '{"dark":true}']);
    expect(await cli.succeed(['settings', 'get', 'cli_theme'])).toBe('{"dark":true}\n');
    await cli.succeed(['settings', 'set', '--delete', 'cli_theme']);
    expect((await cli.run(['settings', 'get', 'cli_theme'])).code).toBe(4);
  });

  it('NTF-34: are notifications, with what became of them', async () => {
    const words = [
      'notify',
      'send',
      '--to',
      'ann@example.test',
      '--channel',
      'email',
      '--title',
      'Code',
      '--wait',
    ];
    const report = await cli.json<{ send_id: string }>(words, { input: '4711' });
    expect(report).toMatchObject({
      recipient_states: [
        { recipient: 'ann@example.test', deliveries: [{ channel: 'email', state: 'sent' }] },
      ],
    });
    expect(await cli.succeed(['notify', 'status', report.send_id])).toMatch(
      /^ann@example\.test\temail\tsent\t/,
    );
  });

  it('OPEN-33: is in the configuration for every client', async () => {
    const response = await fetch(`${api_url}/v1/config`);
    const { data } = (await response.json()) as {
      data: { origins: Record<string, string>; sign_in: object };
    };
    const link = new URL((await cli.succeed(['send'], { input: 'x' })).trim());
    expect(data.origins).toMatchObject({ api: api_url, links: link.origin });
    expect(data.sign_in).toMatchObject({ issuer: expect.any(String), code_challenge_method: 'S256' });
  });
});
