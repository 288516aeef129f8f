import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CliFixture } from './testing/cli-fixture.js';
import { FakeApi, page } from './testing/fake-api.js';

let cli: CliFixture;
let evil: FakeApi;

beforeAll(async () => {
  [cli, evil] = await Promise.all([CliFixture.start(), FakeApi.start()]);
  await cli.openVault();
});
afterAll(() => Promise.all([cli.stop(), evil.stop()]));

describe('a command on a network that is not to be trusted', () => {
  it.each([
    ['whoami', ''],
    ['send', 'secret'],
    ['vault open box --key-stdin', 'vmk_secret'],
    ['secrets get box shop', ''],
    ['secrets set box shop KEY --stdin', 'secret'],
    ['upload box - --name a', 'secret'],
    ['download box a', ''],
    ['vault list', ''],
    ['audit export', ''],
    ['login --key-stdin', 'vk_secret'],
    ['login --device', ''],
  ])('CLI-02: follows no redirect, and names both origins: %s', async (line, input) => {
    evil.answers({ '*': { data: {} } });
    for (const status of [302, 307, 308]) {
      cli.api.answers({ '*': { status, headers: { Location: `${evil.url}/v1/steal` } } });
      const { code, stderr } = await cli.run(line, { input });
      expect([code, evil.called]).toEqual([1, []]);
      expect(stderr).toContain(`${cli.api.url} redirects to ${evil.url}.`);
    }
  });

  it('CLI-02: opens no link that redirects', async () => {
    evil.answers({ '*': { json: { type: 'content', payload: 'phished' } } });
    cli.api.answers({ '*': { status: 307, headers: { Location: `${evil.url}/abc/burn` } } });
    const { stdout, stderr } = await cli.run(['read', `${cli.api.url}/abc`]);
    expect([stdout, evil.called, stderr]).toEqual(['', [], expect.stringContaining(evil.url)]);
  });

  it.each([200, 401, 403, 404])(
    'CLI-03: says that something between answered for a page with status %i, with exit code 1',
    async (status) => {
      cli.api.answers({ '*': page(status) });
      for (const line of [
        'whoami',
        `read ${cli.api.url}/abc`,
        'read spk_1',
        'secrets get box shop',
        'login --device',
        'vault list',
        'send',
        'secrets set box shop KEY --stdin',
        'upload box - --name a',
        'download box a',
        'audit export',
      ]) {
        const { code, stderr } = await cli.run(line, { input: 'x' });
        expect(code).toBe(1);
        expect(stderr).toMatch(new RegExp(`status ${status}`));
        expect(stderr).toContain(cli.api.url);
        expect(stderr).not.toMatch(/Unexpected token|not found|vault open/i);
      }
    },
  );

  it('CLI-03: says so for a page of the identity provider, too', async () => {
    const issuer = evil.url;
    const discovered = {
      issuer,
      device_authorization_endpoint: `${issuer}/device`,
      token_endpoint: `${issuer}/token`,
    };
    cli.api.answers({ 'GET /console/sign-in.json': { json: { issuer, client_id: 'cli' } } });
    for (const status of [200, 403]) {
      evil.answers({
        'GET /.well-known/openid-configuration': { json: discovered },
        'POST /device': page(status),
      });
      const { code, stderr } = await cli.run('login --device');
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(new RegExp(`between answered.*status ${status} from ${issuer}`)),
      ]);
    }
  });

  it('CLI-03: names the server that cannot be reached, and what to check', async () => {
    const gone = await FakeApi.start();
    await gone.stop();
    const { code, stderr } = await cli.run(['login', '--url', gone.url, '--device']);
    expect(code).toBe(1);
    const [, ...waits] = stderr.trimEnd().split('\n').toReversed();
    expect(stderr).toMatch(
      `vaultsvc: Nothing answers at ${gone.url} (ECONNREFUSED). Check that the address and its port are right, and that the service runs.\n`,
    );
    // The first repetition comes within a second and needs no word.
    expect(waits).toHaveLength(2);
    for (const wait of waits) expect(wait).toMatch(`There is no answer from ${gone.url}. Trying again in `);
  });
});
