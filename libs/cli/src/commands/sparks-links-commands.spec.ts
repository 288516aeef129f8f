import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CliFixture } from '../testing/cli-fixture.js';
import { refusal, type Answer } from '../testing/fake-api.js';

let cli: CliFixture;
beforeAll(async () => void (cli = await CliFixture.start()));
afterAll(() => cli.stop());

const deleted = () => cli.api.called.filter((call) => call.startsWith('DELETE'));
const spark = (spark_id: string) => ({
  spark_id,
  status: 'active',
  size_bytes: 12,
  expires_at: 1_800_000_000,
  filename: 'a.txt',
});
const link = (link_code: string, changes: object = {}) => ({
  link_code,
  link_type: 'ingot',
  asset_id: 'ing_1',
  visibility: 'public',
  invites: [],
  status: 'active',
  expires_at: null,
  ...changes,
});

describe('vaultsvc sparks history', () => {
  const actor = { kind: 'person', id: 'usr_1', name: 'ann@example.com' };
  const visitor = { kind: 'visitor', id: 'link-1', name: null };
  const item = (spark_id: string, more: object = {}) => ({
    type: 'spark',
    spark_id,
    status: 'opened',
    created_at: 1_000,
    created_by: actor,
    openings: [],
    ...more,
  });
  const opened = (verified_by: string | null, opened_by: object = visitor) => ({
    openings: [{ opened_at: 2_000, opened_by, verified_by }],
  });

  it('SPK-53: shows who opened each Spark: the proven identity, the reader, or someone', async () => {
    const items = [
      item('spk_1', { ...opened('bob@example.com'), label: 'Key' }),
      item('spk_2', opened(null)),
      item('spk_3', opened(null, actor)),
      item('spk_4', { status: 'expired' }),
    ];
    cli.api.answers({ 'GET /v1/sparks/history': { data: { items, count: 4, has_more: false } } });
    const { stdout } = await cli.run('sparks history');
    const times = '1970-01-01 00:16Z\tann@example.com\t1970-01-01 00:33Z';
    expect(stdout.trimEnd().split('\n')).toEqual([
      `spk_1\topened\t${times}\tbob@example.com\tKey`,
      `spk_2\topened\t${times}\tsomeone\t-`,
      `spk_3\topened\t${times}\tann@example.com\t-`,
      'spk_4\texpired\t1970-01-01 00:16Z\tann@example.com\t-\t-\t-',
    ]);
  });

  it('SPK-53 SDK-06: asks for one creator, and lists all pages', async () => {
    const first = { items: [item('spk_1')], count: 1, has_more: true, next_cursor: 'next' };
    const last = { items: [item('spk_2')], count: 1, has_more: false };
    cli.api.answers({
      'GET /v1/sparks/history?created_by=usr_1': { data: first },
      'GET /v1/sparks/history?created_by=usr_1&cursor=next': { data: last },
    });
    const { stdout } = await cli.run('sparks history --by usr_1 --json');
    expect(JSON.parse(stdout)).toEqual({ items: [item('spk_1'), item('spk_2')] });
  });
});

describe('vaultsvc sparks resend', () => {
  const call = 'POST /v1/sparks/spk_1/share/resend';
  const data = { spark_id: 'spk_1', resent: true, sent_at: 1_700_000_000 };

  it('SPK-54 CLI-04: sends the invitation again', async () => {
    cli.api.answers({ [call]: { data } });
    expect(await cli.run('sparks resend spk_1')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'The invitation is sent again.\n',
    });
    expect(JSON.parse((await cli.run('sparks resend spk_1 --json')).stdout)).toEqual(data);
    expect(cli.api.called).toEqual([call, call]);
  });

  it('CLI-03: reports a refusal, and sends nothing for what is no id of a Spark', async () => {
    const reason = { reason: 'INVITE_NOT_FOUND' };
    cli.api.answers({ [call]: refusal(404, 'NOT_FOUND', reason, 'Invite not found.') });
    expect(await cli.run('sparks resend spk_1')).toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringContaining('Invite not found.'),
    });
    cli.api.answers({ '*': { data } });
    expect((await cli.run('sparks resend ann@x.test')).code).toBe(2);
    expect(cli.api.called).toEqual([]);
  });
});

describe('vaultsvc sparks list and links list', () => {
  const twoPages: Record<string, Answer> = {
    'GET /v1/sparks': { data: { sparks: [spark('spk_1')], count: 1, has_more: true, next_cursor: 'next' } },
    'GET /v1/sparks?cursor=next': { data: { sparks: [spark('spk_2')], count: 1, has_more: false } },
  };

  it('SPK-52: shows label and creator, and a dash for what the API does not know', async () => {
    const known = { label: 'Key', created_by: { kind: 'api_key', id: 'key_1', name: null } };
    const sparks = [{ ...spark('spk_1'), ...known }, spark('spk_2')];
    cli.api.answers({ 'GET /v1/sparks': { data: { sparks, count: 2, has_more: false } } });
    expect((await cli.run('sparks list')).stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/\tKey\tkey_1$/),
      expect.stringMatching(/\t-\t-$/),
    ]);
  });

  it('CLI-04 SDK-06: lists all pages, or as many as --limit says', async () => {
    cli.api.answers(twoPages);
    expect((await cli.run('sparks list')).stdout.match(/spk_\d/g)).toEqual(['spk_1', 'spk_2']);
    const all = JSON.parse((await cli.run('sparks list --json')).stdout) as object;
    expect(all).toEqual({ sparks: [spark('spk_1'), spark('spk_2')] });
    cli.api.answers(twoPages);
    expect((await cli.run('sparks list --limit 1')).stdout.match(/spk_\d/g)).toEqual(['spk_1']);
    expect(cli.api.called).toEqual(['GET /v1/sparks']);
  });

  it.each(['0', '-1', 'x', '1.5', ''])(
    'CLI-03: refuses --limit %j before anything is sent',
    async (limit) => {
      cli.api.answers(twoPages);
      const words = ['sparks', 'list', `--limit=${limit}`];
      expect(await cli.run(words)).toMatchObject({ code: 2, stderr: expect.stringContaining('--limit') });
      expect(cli.api.called).toEqual([]);
    },
  );

  it('CLI-03: names the choices of a filter', async () => {
    expect(await cli.run('sparks list --status burned')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--status is one of active, ash.'),
    });
  });

  it('LNK-05: shows as expired what its status calls active', async () => {
    const sparklinks = [
      link('old', { expires_at: 1_000 }),
      link('durable'),
      link('gone', { status: 'revoked' }),
    ];
    cli.api.answers({ 'GET /v1/sparklinks': { data: { sparklinks, count: 3, cursor: null } } });
    const { stdout } = await cli.run('links list');
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      expect.stringMatching(/^old\texpired\t1970-01-01 00:16Z\t/),
      expect.stringMatching(/^durable\tactive\t-\t/),
      expect.stringMatching(/^gone\trevoked\t/),
    ]);
  });

  it('CLI-10: says on a terminal that a list is empty', async () => {
    cli.api.answers({ 'GET /v1/sparks': { data: { sparks: [], count: 0, has_more: false } } });
    expect(await cli.run('sparks list', { isTTY: true })).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'There is nothing to show.\n',
    });
    expect(await cli.run('sparks list')).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });
});

describe.each([
  ['sparks burn spk_1', 'DELETE /v1/sparks/spk_1'],
  ['links revoke abc', 'DELETE /v1/sparklinks/abc'],
  ['vault keys revoke box x7Qp', 'DELETE /v1/vaults/vlt_1/dvaks/x7Qp'],
  ['keys revoke key_1', 'DELETE /v1/api-keys/key_1'],
  ['people remove ben@x.test', 'DELETE /v1/users/usr_1'],
  ['sessions end 0f4b', 'DELETE /v1/me/sessions/0f4b'],
])('vaultsvc %s', (line, call) => {
  const users = { users: [{ user_id: 'usr_1', email: 'Ben@x.test', status: 'active' }] };
  beforeEach(async () => {
    await cli.openVault();
    cli.api.answers({ 'GET /v1/users': { data: users }, [call]: { data: {} } });
  });

  it('CLI-03: asks on a terminal, and goes on after a yes only', async () => {
    for (const typed of ['y\r', 'yes\n', 'Y\r']) {
      cli.api.calls.length = 0;
      const { code, stderr } = await cli.run(line, { typed });
      expect([code, deleted()]).toEqual([0, [call]]);
      expect(stderr).toMatch(/\? \[y\/N\] /);
    }
  });

  it.each(['\r', 'n\r', 'yess\r', 'no\r'])('CLI-03: changes nothing after %j', async (typed) => {
    const { code, stderr } = await cli.run(line, { typed });
    expect([code, deleted()]).toEqual([1, []]);
    expect(stderr).toContain('Nothing was changed.');
  });

  it('CLI-03: changes nothing at Ctrl-C', async () => {
    expect((await cli.run(line, { typed: 'y\u0003' })).code).toBe(130);
    expect(deleted()).toEqual([]);
  });

  it('CLI-03: refuses without a terminal, with exit code 2, unless --yes is given', async () => {
    const { code, stderr } = await cli.run(line);
    expect([code, deleted()]).toEqual([2, []]);
    expect(stderr).toContain('--yes');
    expect((await cli.run(`${line} --yes`)).code).toBe(0);
    expect(deleted()).toEqual([call]);
  });
});

describe('vaultsvc sparks burn and links revoke', () => {
  it('CLI-03: take several at once, and ids and links only', async () => {
    cli.api.answers({ '*': { status: 204 } });
    expect((await cli.run('sparks burn spk_1 spk_2 --yes')).code).toBe(0);
    expect(cli.api.called).toEqual(['DELETE /v1/sparks/spk_1', 'DELETE /v1/sparks/spk_2']);
    cli.api.answers({ '*': { status: 204 } });
    for (const line of ['sparks burn spk_1 hunter2 --yes', 'links revoke https://link.test/a/b --yes'])
      expect(await cli.run(line)).toMatchObject({ code: 2, stderr: expect.not.stringContaining('hunter2') });
    expect(cli.api.called).toEqual([]);
  });

  it('CLI-05: revokes a link by its URL, and all active links of a file by its id', async () => {
    const sparklinks = [
      link('one'),
      link('two', { asset_id: 'ing_2' }),
      link('three', { status: 'consumed' }),
    ];
    cli.api.answers({
      'GET /v1/sparklinks': { data: { sparklinks, count: 3, cursor: null } },
      'DELETE /v1/sparklinks/one': { data: {} },
      'DELETE /v1/sparklinks/abc': { data: {} },
    });
    expect((await cli.run('links revoke https://link.test/abc ing_1 --yes')).code).toBe(0);
    expect(deleted()).toEqual(['DELETE /v1/sparklinks/abc', 'DELETE /v1/sparklinks/one']);
    expect((await cli.run('links revoke ing_9 --yes')).code).toBe(4);
  });

  it('OPEN-33: refuses a link of another deployment, which the login has learned', async () => {
    const origins = { api: cli.api.url, forge: '', links: 'https://link.test', files: 'https://files.test' };
    const data = {
      api_version: '1',
      origins,
      limits: { spark_payload_bytes: 9 },
      sign_in: null,
      features: {},
    };
    cli.api.answers({ 'GET /v1/config': { data }, 'GET /v1/me': { data: {} } });
    expect((await cli.run('login --key-stdin', { input: 'vk_test' })).code).toBe(0);
    cli.api.answers({ '*': { data: {} }, 'GET /v1/config': { data } });
    const { code, stderr } = await cli.run('links revoke https://other.test/abc --yes');
    expect([code, deleted()]).toEqual([2, []]);
    expect(stderr).toContain('links of this account are of https://link.test');
    expect((await cli.run('links revoke https://files.test/abc --yes')).code).toBe(0);
    const moved = { ...data, origins: { ...origins, links: 'https://new.test' } };
    cli.api.answers({ '*': { data: {} }, 'GET /v1/config': { data: moved } });
    expect((await cli.run('links revoke https://new.test/abc --yes')).code).toBe(0);
  });

  it('CLI-03: reports the refusal of an unknown link', async () => {
    const unknown = refusal(400, 'VALIDATION_ERROR', {}, 'SparkLink not found');
    cli.api.answers({ '*': unknown });
    expect(await cli.run('links revoke abc --yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('SparkLink not found'),
    });
  });
});
