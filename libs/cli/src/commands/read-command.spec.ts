import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CliFixture } from '../testing/cli-fixture.js';
import type { Answer, ReceivedCall } from '../testing/fake-api.js';

let cli: CliFixture;
let out: string;
let runs = 0;

beforeAll(async () => void (cli = await CliFixture.start()));
beforeEach(() => {
  const folder = cli.path(`run-${(runs += 1)}`);
  mkdirSync(folder);
  out = `${folder}/got`;
});
afterAll(() => cli.stop());

const isDescription = ({ body }: ReceivedCall) =>
  (JSON.parse(body.toString()) as { describe: boolean }).describe;
const openings = () => cli.api.calls.filter((call) => call.call === 'POST /abc/burn' && !isDescription(call));

/** A link with this description and content. */
function offer(description: object, content: object, others: Record<string, Answer> = {}): string {
  cli.api.answers({
    'POST /abc/burn': (call) => ({ json: isDescription(call) ? { once: true, ...description } : content }),
    'GET /v1/sparks/spk_1': { data: content },
    ...others,
  });
  return `${cli.api.url}/abc`;
}

const offerText = (payload: string, content_type = 'text/plain') =>
  offer({ type: 'content' }, { type: 'content', payload, content_type });
const offerFile = (bytes: Buffer, size = bytes.length) => {
  const file = { type: 'file', name: 'a.bin', size_bytes: size };
  const raw = { status: 206, raw: bytes, headers: { 'Content-Type': 'text/html' } };
  return offer(file, { ...file, download_url: `${cli.api.url}/file` }, { 'GET /file': raw });
};
const left = () => readdirSync(out.replace(/\/got$/, ''));

describe('vaultsvc read with a code alone', () => {
  const CODE = 'hT5vX9kQm2Zr7nLsB4wYcD';
  const text = { type: 'content', payload: 'secret', content_type: 'text/plain', filename: null };
  const burn = (call: ReceivedCall) => ({
    json: isDescription(call) ? { type: 'content', once: true } : text,
  });

  it('CLI-05: opens the link on the origin that the server names', async () => {
    cli.api.answers({
      'GET /v1/config': { data: { origins: { links: cli.api.url } } },
      [`POST /${CODE}/burn`]: burn,
    });
    expect(await cli.run(['read', CODE])).toMatchObject({ code: 0, stdout: 'secret' });
    expect(cli.api.called).toEqual(['GET /v1/config', `POST /${CODE}/burn`, `POST /${CODE}/burn`]);
    expect(cli.api.calls.map(({ headers }) => headers['x-api-key'])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(await cli.run(['read', '-'], { input: `${CODE}\n` })).toMatchObject({ code: 0, stdout: 'secret' });
  });

  it('CLI-05: asks for the whole link where no server, or not its origin of links, is known', async () => {
    cli.api.answers({});
    for (const [url, why] of [
      [null, 'names no server'],
      [cli.api.url, 'does not name the origin'],
    ] as const) {
      const { code, stderr } = await cli.run(['read', CODE], { url });
      expect([code, stderr]).toEqual([2, expect.stringContaining('Give the whole link')]);
      expect(stderr).toContain(why);
    }
  });

  it.each(['link.example.com/hT5vX9kQm2Zr7nLs', 'hT5vX9kQm2', `${CODE}x`, 'ing_1'])(
    'CLI-05 CLI-03: says what can be read instead of other texts: %s',
    async (given) => {
      cli.api.answers({});
      const { code, stderr } = await cli.run(['read', given]);
      expect([code, stderr, cli.api.called]).toEqual([2, expect.stringContaining('Give a whole link'), []]);
    },
  );
});

describe('what a terminal shows of a Spark', () => {
  it.each([
    ['ESC, BEL and a title', 'a\u001b]0;root\u0007b', String.raw`a\x1b]0;root\x07b`],
    ['C1 controls', 'a\u009b2Jb\u0085', String.raw`a\x9b2Jb\x85`],
    ['a carriage return, backspace and DEL', 'safe\rrm\b\u007f', String.raw`safe\x0drm\x08\x7f`],
    ['bidirectional controls', 'a\u202eb\u2066c\u200f', String.raw`a\u202eb\u2066c\u200f`],
    ['text with lines, tabs and emoji', 'caf\u00e9\r\n\tline \u{1f512}\n', 'caf\u00e9\r\n\tline \u{1f512}\n'],
  ])('CLI-05: are no control characters, but what they are: %s', async (_, payload, shown) => {
    const link = offerText(payload);
    const onTerminal = await cli.run(['read', link], { isTTY: true });
    expect(onTerminal.stdout).toBe(shown);
    expect(onTerminal.stderr.includes('A pipe or a file gets them')).toBe(shown !== payload);
    expect((await cli.run(['read', link])).stdout).toBe(payload);
  });

  it('CLI-05: are bytes in hexadecimal where they are no text', async () => {
    const bytes = Buffer.from([0x61, 0xff, 0xe2, 0x82, 0x0a, 0xc3, 0xa9, 0x1b]);
    const link = offerText(bytes.toString('base64'), 'application/octet-stream');
    expect((await cli.run(['read', link], { isTTY: true })).stdout).toBe(
      String.raw`a\xff\xe2\x82` + '\n\u00e9' + String.raw`\x1b`,
    );
    expect((await cli.run(['read', link])).bytes).toEqual(bytes);
  });

  it('CLI-04: are escaped in the JSON, which is the same object', async () => {
    const payload = 'a\u009b2J\u202e\u001b';
    const { stdout } = await cli.run(['read', offerText(payload), '--json'], { isTTY: true });
    expect(stdout).toMatch(/^[\x20-\x7e]+\n$/);
    expect(JSON.parse(stdout)).toMatchObject({ payload });
  });
});

describe('a link that is read to a file', () => {
  it.each([
    ['its folder is missing', () => `${out}/none/got`],
    ['its folder is a file', () => (writeFileSync(out, ''), `${out}/got`)],
    ['its name is too long', () => `${out}${'x'.repeat(300)}`],
    // Of the kernel: also root cannot create a file there.
    ['its folder cannot be written to', () => '/sys/vaultsvc-got'],
    ['it exists', () => (writeFileSync(out, 'mine'), out)],
    ['it is a folder', () => (mkdirSync(out), out)],
    ['it is a dangling symbolic link', () => (symlinkSync(`${out}-none`, out), out)],
  ])('CLI-05: is not opened if %s', async (_, prepare) => {
    const path = prepare();
    for (const link of [offerText('secret'), offerFile(Buffer.from('abc')), (offerText('x'), 'spk_1')]) {
      const { code, stderr } = await cli.run(['read', link, '--out', path]);
      expect(code).toBe(1);
      expect(stderr).toMatch(/--out/);
      expect(stderr).toContain('Nothing was opened: the secret can still be read.');
      expect([openings().length, cli.api.called.includes('GET /v1/sparks/spk_1')]).toEqual([0, false]);
    }
    if (existsSync(out) && statSync(out).isFile()) expect(readFileSync(out, 'utf8')).not.toContain('secret');
  });

  it('CLI-05: is not opened if the disk has no room for the file', async () => {
    const link = offerFile(Buffer.from('abc'), 2 ** 52);
    const { code, stderr } = await cli.run(['read', link, '--out', out]);
    expect([code, openings().length, left()]).toEqual([1, 0, []]);
    expect(stderr).toContain('Nothing was opened: the secret can still be read.');
    expect(stderr).toContain('no room for');
  });

  it('CLI-05: has its name when it is complete, and nothing else is left', async () => {
    expect((await cli.run(['read', offerText('secret'), '--out', out])).code).toBe(0);
    expect([readFileSync(out, 'utf8'), statSync(out).mode & 0o777, left()]).toEqual([
      'secret',
      0o600,
      ['got'],
    ]);
    const bytes = Buffer.from([0, 0xff, 0x0a]);
    expect((await cli.run(['read', offerFile(bytes), '--out', `${out}2`])).code).toBe(0);
    expect([readFileSync(`${out}2`), left()]).toEqual([bytes, ['got', 'got2']]);
  });

  it('CLI-05: replaces no file that appears meanwhile, and keeps the content beside it', async () => {
    const description = { type: 'content' };
    cli.api.answers({
      'POST /abc/burn': (call) => {
        if (isDescription(call)) return { json: description };
        writeFileSync(out, 'mine');
        return { json: { ...description, payload: 'secret', content_type: 'text/plain' } };
      },
    });
    const { code, stderr } = await cli.run(['read', `${cli.api.url}/abc`, '--out', out]);
    const [, kept = ''] = /The content is in (\S+)\./.exec(stderr) ?? [];
    expect([code, readFileSync(out, 'utf8'), readFileSync(kept, 'utf8')]).toEqual([1, 'mine', 'secret']);
  });

  it('CLI-08: leaves nothing that looks complete if the download ends early', async () => {
    const { code } = await cli.run(['read', offerFile(Buffer.from('ab'), 3), '--out', out]);
    expect([code, left()]).toEqual([1, []]);
  });

  it('CLI-05: goes to the standard output with --out -', async () => {
    const bytes = Buffer.from([0, 0xff, 0x1b]);
    expect((await cli.run(['read', offerFile(bytes), '--out', '-'])).bytes).toEqual(bytes);
    expect((await cli.run(['read', offerText('secret'), '--out', '-'])).stdout).toBe('secret');
    expect(await cli.run(['read', offerText('x'), '--out', '-', '--json'])).toMatchObject({ code: 2 });
    expect(openings()).toEqual([]);
  });
});
