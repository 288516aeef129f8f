import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CliFixture } from '../testing/cli-fixture.js';
import { refusal } from '../testing/fake-api.js';

const SPARK = { status: 201, data: { spark_id: 'spk_1' } };
const LINK = { data: { share_url: 'https://link.test/abc', expires_at: 1_800_000_000 } };
let cli: CliFixture;

beforeAll(async () => void (cli = await CliFixture.start()));
afterAll(() => cli.stop());

const sent = () => {
  const [call] = cli.api.calls;
  return JSON.parse(String(call?.body)) as { payload: string; content_type: string };
};

describe('vaultsvc send', () => {
  it.each([
    'Ann <a@b.test>',
    'ann',
    'a@b.test, c@d.test',
    '',
    'mailto:a@b.test',
    '030 123456',
    'a@b',
    'a..b@x.test',
    'a@-b.test',
    `${'a'.repeat(65)}@b.test`,
  ])(
    'CLI-05 CLI-03: refuses a recipient that is no address before a Spark is created: %j',
    async (recipient) => {
      cli.api.answers({});
      const { code, stderr } = await cli.run(['send', '--for', recipient], { input: 'x' });
      expect([code, cli.api.called]).toEqual([2, []]);
      expect(stderr.match(/--for must be an e-mail address/g)).toHaveLength(1);
    },
  );

  it.each(['ann@example.com', 'ann.o+x@b\u00fccher.test', '+4930123456'])(
    'CLI-05: passes an address to the API: %s',
    async (recipient) => {
      cli.api.answers({ 'POST /v1/sparks': SPARK, 'PATCH /v1/sparks/spk_1/share': LINK });
      expect((await cli.run(['send', '--for', recipient], { input: 'x' })).code).toBe(0);
      expect(JSON.parse(String(cli.api.calls[1]?.body))).toMatchObject({ invites: [recipient] });
    },
  );

  it('SPK-52: sends a label with the Spark, and none unless it is given', async () => {
    for (const [words, label] of [
      [['send', '--label', 'Test server'], { label: 'Test server' }],
      [['send'], {}],
    ] as const) {
      cli.api.answers({ 'POST /v1/sparks': SPARK, 'PATCH /v1/sparks/spk_1/share': LINK });
      expect((await cli.run([...words], { input: 'x' })).code).toBe(0);
      const { label: sentLabel } = sent() as { label?: string };
      expect(sentLabel === undefined ? {} : { label: sentLabel }).toEqual(label);
    }
  });

  it('CLI-05 CLI-03: deletes the Spark if the API refuses its recipient, and says so once by the name of the option', async () => {
    const fields = [{ field: 'invites.0', message: 'invites must hold e-mail addresses' }];
    cli.api.answers({
      'POST /v1/sparks': SPARK,
      'PATCH /v1/sparks/spk_1/share': refusal(
        400,
        'VALIDATION_ERROR',
        { fields },
        'invites.0 must hold e-mail addresses',
      ),
      'DELETE /v1/sparks/spk_1': { status: 204 },
    });
    const { code, stderr } = await cli.run(['send', '--for', 'ann@x.test'], { input: 'x' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^vaultsvc: --for must hold e-mail addresses\.\n/);
    expect(stderr).not.toContain('invites');
    expect(cli.api.called.at(-1)).toBe('DELETE /v1/sparks/spk_1');
  });

  it.each([
    Buffer.from('caf\xe9', 'latin1'),
    Buffer.from('a\0b'),
    Buffer.from('two\n'),
    Buffer.from('caf\u00e9'),
  ])('CLI-05: sends the bytes of the standard input unchanged: %j', async (input) => {
    cli.api.answers({ 'POST /v1/sparks': SPARK, 'PATCH /v1/sparks/spk_1/share': LINK });
    await cli.run('send', { input });
    const { payload, content_type } = sent();
    expect(Buffer.from(payload, content_type === 'text/plain' ? 'utf8' : 'base64')).toEqual(input);
  });
});

describe('a lifetime', () => {
  it.each([
    ['send x --expires 2d', '--expires is 1m to 1d.'],
    ['send x --expires 59s', '--expires is 1m to 1d.'],
    ['vault share box a.txt --expires 2d', '--expires is 5m to 1d.'],
    ['vault share box a.txt --expires 4m', '--expires is 5m to 1d.'],
    ['vault share box a.txt --expires 300', '--expires needs a duration such as 30m, 12h or 1d.'],
  ])(
    'CLI-03: out of range is refused before anything is sent, with what it may be: %s',
    async (line, says) => {
      cli.api.answers({});
      expect(await cli.run(line)).toMatchObject({ code: 2, stderr: expect.stringContaining(says) });
      expect(cli.api.calls).toEqual([]);
    },
  );
});

describe('what cannot be sent', () => {
  it('CLI-03: a folder is refused with the command that stores one', async () => {
    const { code, stderr } = await cli.run(['send', cli.folder]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('is a folder. Use vaultsvc upload --recursive'),
    });
  });

  it('CLI-03: a key with the dots of an example is named, instead of a network that does not answer', async () => {
    cli.api.answers({});
    const { code, stderr } = await cli.run('whoami', { apiKey: 'vk_live_…' });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('VAULTSVC_API_KEY') });
    expect(cli.api.calls).toEqual([]);
  });
});
