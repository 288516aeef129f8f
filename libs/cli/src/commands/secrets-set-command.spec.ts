import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CliFixture } from '../testing/cli-fixture.js';

const PATCH = 'PATCH /v1/products/structured-ingots/vlt_1/%3Ashop';
let cli: CliFixture;

beforeAll(async () => {
  cli = await CliFixture.start();
  await cli.openVault();
});
beforeEach(() => cli.api.answers({ [PATCH]: { data: { version: 2, key_count: 1 } } }));
afterAll(() => cli.stop());

const set = (input: string | Buffer, ...options: string[]) =>
  cli.run(['secrets', 'set', 'box', 'shop', ...options, '--stdin'], { input });
const storedValues = () =>
  cli.api.calls.map(({ body }) => (JSON.parse(body.toString()) as { set: Record<string, string> }).set);

const PEM = '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA==\n-----END PRIVATE KEY-----\n';

describe('a value from the standard input', () => {
  it.each([
    ['caf\xe9', Buffer.from('caf\xe9', 'latin1')],
    ['a lone continuation byte', Buffer.from([0x61, 0x80])],
    ['a surrogate', Buffer.from([0xed, 0xa0, 0x80])],
    ['an incomplete character', Buffer.from([0x61, 0xe2, 0x82])],
    ['UTF-16', Buffer.from('\ufeffcaf\u00e9', 'utf16le')],
  ])(
    'CLI-09: is refused with exit code 2, before anything is sent, if it is no UTF-8: %s',
    async (_, input) => {
      const result = await set(input, 'K');
      expect(result).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('not UTF-8') });
      expect(result.stderr).toContain('--base64');
      expect((await set(Buffer.concat([Buffer.from('{"K":"'), input, Buffer.from('"}')]))).code).toBe(2);
      expect(cli.api.called).toEqual([]);
    },
  );

  it('CLI-09: is stored in base64 with --base64, byte for byte', async () => {
    const input = Buffer.from([0x63, 0xe9, 0x00, 0x0a]);
    expect((await set(input, 'K', '--base64')).code).toBe(0);
    expect(storedValues()).toEqual([{ K: input.toString('base64') }]);
  });

  it.each(['two', 'two\n', 'two\r\n'])('CLI-09: is a line without its end: %j', async (input) => {
    await set(input, 'K');
    expect(storedValues()).toEqual([{ K: 'two' }]);
  });

  it.each([PEM, PEM.replaceAll('\n', '\r\n'), 'a\nb', '\n\n', ' two ', '\ufeffx'])(
    'CLI-09: is kept as it is otherwise: %j',
    async (input) => {
      expect((await set(input, 'K')).code).toBe(0);
      expect(storedValues()).toEqual([{ K: input }]);
    },
  );

  it.each([
    [['--base64'], '--base64 needs --stdin and one key.'],
    [['A', 'B'], '--stdin is the value of one key.'],
  ])('CLI-03: is refused with options that contradict it: %j', async (options, message) => {
    expect(await set('x', ...options)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });
});
