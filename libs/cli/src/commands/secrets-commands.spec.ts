import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CliFixture } from '../testing/cli-fixture.js';
import { refusal, type Answer } from '../testing/fake-api.js';

const SET = '/v1/products/structured-ingots/vlt_1/%3Ashop';
let cli: CliFixture;
let path: string;
let runs = 0;
beforeAll(async () => {
  cli = await CliFixture.start();
  await cli.openVault();
});
beforeEach(() => void (path = cli.path(`file-${(runs += 1)}`)));
afterAll(() => cli.stop());

/** A set of secrets; each value is a Spark. */
function setHolds(values: Record<string, string>): void {
  const keys = Object.keys(values);
  const sparks = Object.fromEntries(keys.map((key) => [key, { spark_id: `spk_${key}` }]));
  const minted = (asked: string[]): Answer => ({
    data: {
      values: Object.fromEntries(asked.flatMap((key) => (sparks[key] ? [[key, sparks[key]]] : []))),
      missing_keys: asked.filter((key) => !sparks[key]),
    },
  });
  const reads = keys.map((key) => [`GET /v1/sparks/spk_${key}`, { data: { payload: values[key] } }] as const);
  const asked = [keys, ...keys.map((key) => [key]), [...keys, 'MISSING']];
  cli.api.answers({
    [`GET ${SET}`]: { data: { keys } },
    ...Object.fromEntries(reads),
    ...Object.fromEntries(
      asked.map((some) => [`GET ${SET}?keys=${encodeURIComponent(some.join(','))}&ttl=60`, minted(some)]),
    ),
  });
}

describe('vaultsvc secrets import', () => {
  const words = (...options: string[]) => ['secrets', 'import', 'box', 'shop', path, ...options];
  const changed = { data: { version: 2, key_count: 2 } };

  it('CLI-09: sets all values of a file by one call', async () => {
    writeFileSync(path, "A=1\nexport B='two words'\n");
    cli.api.answers({ [`PATCH ${SET}`]: changed });
    expect(await cli.run(words())).toMatchObject({ code: 0, stderr: expect.stringContaining('2 keys set') });
    expect(cli.api.called).toEqual([`PATCH ${SET}`]);
    expect(JSON.parse(String(cli.api.calls[0]?.body))).toEqual({ set: { A: '1', B: 'two words' } });
  });

  it('CLI-09: creates the set on request only', async () => {
    writeFileSync(path, 'A=1');
    const create = 'POST /v1/products/structured-ingots/vlt_1';
    cli.api.answers({ [create]: { status: 201, data: { version: 1, key_count: 1 } } });
    expect((await cli.run(words())).code).toBe(4);
    expect((await cli.run(words('--create'))).code).toBe(0);
    expect(JSON.parse(String(cli.api.calls.at(-1)?.body))).toEqual({ name: 'shop', data: { A: '1' } });
  });

  it('CLI-09: sends nothing with --dry-run, and prints names but no values', async () => {
    writeFileSync(path, 'A=hunter2\nB=hunter2');
    cli.api.answers({});
    const { code, stdout, stderr } = await cli.run(words('--dry-run'));
    expect([code, stdout, cli.api.called]).toEqual([0, 'A\nB\n', []]);
    expect(stderr).not.toContain('hunter2');
  });

  it.each([
    ['a line that it cannot read', Buffer.from('A=1\nhunter2'), 'Line 2 '],
    ['no variables', Buffer.from('# nothing\n'), 'no variables'],
    ['bytes that are no UTF-8', Buffer.from('A=hunter2\xe9', 'latin1'), 'not UTF-8'],
  ])('CLI-03 CLI-09: sends nothing of a file with %s', async (_, content, message) => {
    writeFileSync(path, content);
    cli.api.answers({});
    const { code, stderr } = await cli.run(words());
    expect([code, cli.api.called]).toEqual([2, []]);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('hunter2');
  });
});

describe('vaultsvc secrets run', () => {
  const run = (program: string, ...options: string[]) =>
    cli.run(['secrets', 'run', 'box', 'shop', ...options, '--', 'sh', '-c', program]);
  beforeEach(() => setHolds({ TOKEN: 'hunter2-secret', PORT: '80' }));

  it('CLI-09: conceals values in both outputs of the program', async () => {
    const { code, stdout, stderr } = await run('echo "t=$TOKEN p=$PORT"; echo "e=$TOKEN" >&2; exit 3');
    expect([code, stdout, stderr]).toEqual([
      3,
      't=<concealed by vaultsvc> p=80\n',
      'e=<concealed by vaultsvc>\n',
    ]);
  });

  it('CLI-09: conceals a value that arrives in parts', async () => {
    const program = 'printf hun; sleep 0.1; printf ter2-; sleep 0.1; printf secret; printf " hunt"';
    expect((await run(program)).stdout).toBe('<concealed by vaultsvc> hunt');
  });

  it('CLI-09: passes on every byte of the rest, also of long outputs', async () => {
    const { stdout } = await run('head -c 300000 /dev/zero | tr "\\0" x; printf "$TOKEN"; printf end');
    expect(stdout).toBe(`${'x'.repeat(300_000)}<concealed by vaultsvc>end`);
  });

  it('CLI-03: says that there is no such program', async () => {
    const words = ['secrets', 'run', 'box', 'shop', '--', 'no-such-program'];
    expect(await cli.run(words)).toMatchObject({ code: 127, stderr: expect.stringContaining('no program') });
  });
});

describe('vaultsvc secrets render', () => {
  const render = (...options: string[]) => cli.run(['secrets', 'render', 'box', 'shop', path, ...options]);
  beforeEach(() => setHolds({ TOKEN: 'hunter2' }));

  it('CLI-09: fills a template, to the standard output or to a new file with mode 0600', async () => {
    writeFileSync(path, 'token={{ TOKEN }}\n');
    expect(await render()).toMatchObject({ code: 0, stdout: 'token=hunter2\n' });
    const out = `${path}.out`;
    const { code, stdout, stderr } = await render('--out', out);
    expect([code, readFileSync(out, 'utf8'), statSync(out).mode & 0o777]).toEqual([
      0,
      'token=hunter2\n',
      0o600,
    ]);
    expect(stdout + stderr).not.toContain('hunter2');
    expect((await render('--out', out)).code).toBe(1);
  });

  it('CLI-09: reads only the values that it needs, and none for a template without names', async () => {
    setHolds({ TOKEN: 'hunter2', OTHER: 'x' });
    writeFileSync(path, '{{ TOKEN }}');
    await render();
    expect(cli.api.called).not.toContain('GET /v1/sparks/spk_OTHER');
    cli.api.calls.length = 0;
    writeFileSync(path, 'plain');
    expect((await render()).stdout).toBe('plain');
    expect(cli.api.called).toEqual([]);
  });

  it('CLI-09: writes nothing if a key is missing, or the template is wrong', async () => {
    const out = `${path}.out`;
    writeFileSync(path, '{{ TOKEN }} {{ MISSING }}');
    const { code, stdout, stderr } = await render('--out', out);
    expect([code, stdout, stderr]).toEqual([4, '', expect.stringContaining('There is no key MISSING.')]);
    writeFileSync(path, '{{ TOKEN');
    expect((await render('--out', out)).code).toBe(2);
    expect(statSync(out, { throwIfNoEntry: false })).toBeUndefined();
    writeFileSync(path, '{{ TOKEN }}');
    cli.api.answers({ '*': refusal(404, 'NOT_FOUND') });
    expect([(await render('--out', out)).code, statSync(out, { throwIfNoEntry: false })]).toEqual([
      4,
      undefined,
    ]);
  });
});
