import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listAccountAudit, readAuditIntegrity, recordAppEvent } from '@vaultsvc/contracts/reporting';
import { createSpark } from '@vaultsvc/contracts/sparks';
import { api, retryRateLimited, succeeded, type Api } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import { newSpark } from './access/link-samples.js';
import { signUpOrganization } from './sign-in.js';
import { stack } from './stack.js';

/** An export of the audit log and its verification by `npm run audit`, against the local stack. */
let client: Api;
let token: string;
let folder: string;

const AUDIT = new URL('../../../tools/audit/run.ts', import.meta.url).pathname;

/** Exit code and output of `npm run audit`. */
const audit = (...args: readonly string[]) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    execFile(process.execPath, [AUDIT, ...args], (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
const exported = async (query = '') => {
  const response = await fetch(`${stack().api_url}/v1/audit-logs/export${query}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return { response, text: await response.text() };
};
const file = async (name: string, content: string) => {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
};
const integrity = async () => succeeded(await client.call(readAuditIntegrity, {}));
/** Of the log of the account, whose name is its address. */
const publicFile = async (path: string) => fetch(`http://${(await integrity()).origin}/${path}`);
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
/** Waits until the log contains the newest entry of the account, and that entry is at least the given one. */
const logged = (entries: number) =>
  eventually(integrity, (state) => state.entries >= entries && state.logged_entries === state.entries);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audit-export-'));
  const signedIn = await signUpOrganization('Audit export');
  ({ client } = signedIn);
  token = signedIn.session.access_token;
  for (let count = 0; count < 3; count++) succeeded(await client.call(createSpark, { body: newSpark() }));
  await logged(4);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('an export of the audit log', () => {
  it('AUD-15: contains exactly the entries that the pages list, oldest first', async () => {
    const { response, text } = await exported();
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    const entries = linesOf(text).filter(({ kind }) => kind === 'entry');
    const page = succeeded(await client.call(listAccountAudit, { query: { limit: 100 } }));
    expect(entries.map(({ event_id }) => event_id)).toEqual(
      page.entries.map(({ event_id }) => event_id).toReversed(),
    );
  });

  it('AUD-14: is verified offline against a checkpoint that was pinned before', async () => {
    const pinned = await publicFile('checkpoint');
    expect(pinned.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const checkpoint = await file('checkpoint', await pinned.text());
    const before = await integrity();
    expect(before.state).toBe('verified');
    succeeded(await client.call(createSpark, { body: newSpark() }));
    await logged(before.entries + 1);
    const { text } = await exported(`?from_size=${before.tree_size}`);
    const whole = await file('export.jsonl', text);
    const [key = ''] = before.keys;
    const verdict = await audit('verify', whole, '--checkpoint', checkpoint, '--key', key);
    expect(verdict).toMatchObject({ code: 0, output: expect.stringContaining('INTACT') });

    const edited = await file('edited.jsonl', text.replace('"size_bytes":8', '"size_bytes":9'));
    expect(await audit('verify', edited, '--key', key)).toMatchObject({
      code: 1,
      output: expect.stringMatching(/entry \d+/i),
    });
  });

  it('AUD-15: has the entries of a range of time, in parts that a message can hold', async () => {
    const from = Math.floor(Date.now() / 1000);
    const metadata = { text: 'x'.repeat(8_000) };
    const body = { app_slug: 'crma', event_type: 'large', metadata };
    const count = 150; // more than 1 MB
    for (let n = 0; n < count; n += 10)
      await Promise.all(
        Array.from({ length: 10 }, async () => succeeded(await client.call(recordAppEvent, { body }))),
      );
    const lines = linesOf((await exported(`?from=${from}`)).text);
    const entries = lines.filter(({ kind }) => kind === 'entry');
    expect(entries.filter(({ type }) => type === 'large')).toHaveLength(count);
    expect(lines[0]).toMatchObject({
      kind: 'header',
      first_seq: entries[0]?.['seq'],
      last_seq: entries.at(-1)?.['seq'],
    });
    const path = await file('range.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
    expect(await audit('verify', path)).toMatchObject({ code: 0 });
    expect(linesOf((await exported('?from=1&to=2')).text).map(({ kind }) => kind)).toEqual([
      'header',
      'checkpoint',
    ]);
  });

  it('AUD-15: refuses a malformed query, a larger tree than the log has, and callers without the role', async () => {
    const refused = async (query: string) => {
      const { response, text } = await retryRateLimited(
        () => exported(query),
        (answer) => answer.response.status === 429,
      );
      return [response.status, (JSON.parse(text) as { error: { code: string } }).error.code];
    };
    expect(await refused('?from=yesterday')).toEqual([400, 'VALIDATION_ERROR']);
    expect(await refused('?from_size=999999999')).toEqual([400, 'VALIDATION_ERROR']);
    expect(await refused('?from=2&to=1')).toEqual([400, 'VALIDATION_ERROR']);
    const nowMs = Date.now();
    for (const range of [
      `from=${nowMs}`,
      `to=${nowMs}`,
      `from=${nowMs - 5}&to=${nowMs}`,
      'from=-1',
      'to=1.5',
    ])
      expect([range, ...(await refused(`?${range}`))]).toEqual([range, 400, 'VALIDATION_ERROR']);
    expect((await fetch(`${stack().api_url}/v1/audit-logs/export`)).status).toBe(401);
  });
});

describe('the transparency log', () => {
  it('AUD-14: is public, in the files of C2SP tlog-tiles, and names no account', async () => {
    const { tree_size } = await integrity();
    const width = tree_size % 256;
    const suffix = tree_size < 256 ? `.p/${width}` : '';
    const tile = await publicFile(`tile/0/000${suffix}`);
    expect(tile.headers.get('content-type')).toBe('application/octet-stream');
    expect((await tile.arrayBuffer()).byteLength).toBe(32 * (suffix ? width : 256));
    const entries = await (await publicFile(`tile/entries/000${suffix}`)).text();
    expect(entries).toContain('"pseudonym"');
    expect(entries).not.toContain('acc_');
    for (const path of ['tile/0/999', 'tile/0/../checkpoint', 'nothing', 'tile/0/000.p/0'])
      expect((await publicFile(path)).status).toBe(404);
    expect((await api(stack().api_url).call(readAuditIntegrity, {})).status).toBe(401);
  });
});
