import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@vaultsvc/testing/waiting';
import { stack } from '../stack.js';
import { CliHome } from './cli-home.js';

const { api_url, account } = stack();
let cli: CliHome;

beforeAll(async () => {
  cli = await CliHome.make();
  await cli.succeed(['login', '--url', api_url, '--key-stdin'], { input: account.api_key });
});
afterAll(() => cli.remove());

describe('vaultsvc audit verify', () => {
  it('CLI-11: verifies the log of the account as it is now', async () => {
    await cli.succeed(['send'], { input: 'an entry' });
    const report = () => cli.json<{ is_intact: boolean; entries: number }>(['audit', 'verify']);
    expect(await eventually(report, ({ entries }) => entries > 0)).toMatchObject({ is_intact: true });
  });

  it('CLI-11: verifies an export offline, and names the first bad entry of a changed one', async () => {
    const variables = { VAULTSVC_URL: 'http://127.0.0.1:9' };
    await cli.succeed(['audit', 'export', '--out', 'audit.jsonl']);
    const offline = await cli.run(['audit', 'verify', 'audit.jsonl'], { variables });
    expect(offline).toMatchObject({ code: 0, stdout: expect.stringMatching(/^INTACT/) });
    const text = readFileSync(cli.path('audit.jsonl'), 'utf8');
    writeFileSync(
      cli.path('changed.jsonl'),
      text.replace('"kind":"entry","seq":1,"at":1', '"kind":"entry","seq":1,"at":2'),
    );
    const changed = await cli.run(['audit', 'verify', 'changed.jsonl'], { variables });
    expect(changed).toMatchObject({ code: 1, stdout: expect.stringContaining('first bad entry: 1') });
  });
});

describe('vaultsvc audit export --format csv', () => {
  it('CLI-11 AUD-15: writes the entries for a spreadsheet, and refuses another format', async () => {
    await cli.succeed(['send'], { input: 'an entry' });
    const csv = async () => (await cli.run(['audit', 'export', '--format', 'csv', '--out', '-'])).stdout;
    const text = await eventually(csv, (out) => out.includes(',spark_created,'));
    const [header, first] = text.split('\r\n');
    expect(header).toBe(
      'seq,time,event_type,event_id,request_id,actor_kind,actor_id,actor_app,actor_place,actor_person,vault_id,ingot_id,app_slug,details,erased,hash',
    );
    expect(first).toMatch(/^1,\d{4}-\d\d-\d\dT/);
    expect((await cli.run(['audit', 'export', '--format', 'xlsx'])).code).toBe(2);
  });
});

describe('vaultsvc random', () => {
  it('CLI-04 CLI-03: prints a value, and refuses a length that is none', async () => {
    expect(await cli.succeed(['random', '20', '--format', 'password'])).toMatch(/^.{20}\n$/);
    expect(await cli.json(['random', '16'])).toMatchObject({
      value: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect((await cli.run(['random', 'many'])).code).toBe(2);
  });
});
