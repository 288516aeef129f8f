import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CliFixture } from '../testing/cli-fixture.js';
import { refusal } from '../testing/fake-api.js';

let cli: CliFixture;
beforeAll(async () => void (cli = await CliFixture.start()));
afterAll(() => cli.stop());

const sent = () => JSON.parse(String(cli.api.calls.at(-1)?.body)) as object;
const person = (user_id: string, email: string, changes: object = {}) => ({
  user_id,
  email,
  role: 'member',
  seat: 'full',
  status: 'active',
  name: null,
  ...changes,
});

describe('vaultsvc people', () => {
  const users = [
    person('usr_1', 'Ann@x.test', { role: 'owner' }),
    person('usr_2', 'ben@x.test', { status: 'invited' }),
  ];
  beforeEach(() =>
    cli.api.answers({
      'GET /v1/users': { data: { users, count: 2, has_more: false } },
      'POST /v1/users': { status: 201, data: person('usr_3', 'cem@x.test', { role: 'admin' }) },
      'PATCH /v1/users/usr_2': { data: person('usr_2', 'ben@x.test', { role: 'admin' }) },
      'DELETE /v1/users/usr_2': { status: 204 },
    }),
  );

  it('CLI-10: lists everybody with role, seat and state', async () => {
    expect((await cli.run('people list')).stdout).toBe(
      'usr_1\towner\tfull\tactive\tAnn@x.test\t-\nusr_2\tmember\tfull\tinvited\tben@x.test\t-\n',
    );
  });

  it('CLI-10: invites with a role and a seat, and prints the id', async () => {
    const words = 'people invite cem@x.test --role admin --seat viewer';
    expect(await cli.run(words)).toMatchObject({ code: 0, stdout: 'usr_3\n' });
    expect(sent()).toEqual({ email: 'cem@x.test', role: 'admin', seat: 'viewer' });
    expect((await cli.run('people invite cem@x.test --role boss')).code).toBe(2);
  });

  it('CLI-10: sends an invitation again', async () => {
    const call = 'POST /v1/users/usr_2/invitation/resend';
    const data = { user_id: 'usr_2', resent: true, sent_at: 1_700_000_000, expires_at: 1_701_209_600 };
    cli.api.answers({ 'GET /v1/users': { data: { users, count: 2, has_more: false } }, [call]: { data } });
    const { code, stdout, stderr } = await cli.run('people resend BEN@x.test');
    expect([code, stdout, cli.api.called.at(-1)]).toEqual([0, '', call]);
    expect(stderr).toContain('ben@x.test is invited again, until 2023-11-28 22:13Z.');
  });

  it('CLI-10: finds a person by address, without regard to case, or by id', async () => {
    for (const reference of ['BEN@x.test', 'usr_2'])
      expect((await cli.run(`people role ${reference} admin`)).code).toBe(0);
    expect([sent(), cli.api.called.at(-1)]).toEqual([{ role: 'admin' }, 'PATCH /v1/users/usr_2']);
    expect((await cli.run('people role nobody@x.test admin')).code).toBe(4);
    expect((await cli.run('people role ben@x.test boss')).code).toBe(2);
  });

  it('CLI-03: says whether a person or an invitation goes', async () => {
    expect((await cli.run('people remove ben@x.test', { typed: 'y\r' })).stderr).toContain(
      'Withdraw the invitation',
    );
    const words = 'people remove ann@x.test';
    expect((await cli.run(words, { typed: 'n\r' })).stderr).toContain('Remove Ann@x.test?');
  });
});

describe('vaultsvc sessions', () => {
  it('CLI-10: lists the sessions of the person, and which one is the own', async () => {
    const times = { created_at: 1_700_000_000, last_used_at: 1_700_003_600, expires_at: 1_702_595_600 };
    const sessions = [
      { session_id: 'b', ...times, client: 'web', current: false },
      { session_id: 'a', ...times, client: 'program', current: true },
    ];
    cli.api.answers({ 'GET /v1/me/sessions': { data: { sessions, count: 2 } } });
    const used = '2023-11-14 22:13Z\t2023-11-14 23:13Z';
    expect((await cli.run('sessions list')).stdout).toBe(`b\tweb\t${used}\t-\na\tprogram\t${used}\tyes\n`);
    expect(JSON.parse((await cli.run('sessions list --json')).stdout)).toEqual({ sessions });
  });

  it('CLI-03: says that an API key has no sessions', async () => {
    cli.api.answers({ 'GET /v1/me/sessions': refusal(403, 'FORBIDDEN', { reason: 'SESSION_REQUIRED' }) });
    expect((await cli.run('sessions list')).code).toBe(3);
  });
});

describe('vaultsvc settings', () => {
  const settings = { theme: 'dark', links_ask_first: true };
  beforeEach(() =>
    cli.api.answers({
      'GET /v1/settings': { data: { settings } },
      'PUT /v1/settings': { data: { settings } },
    }),
  );

  it('CLI-10: prints all settings, or one as JSON', async () => {
    expect((await cli.run('settings get')).stdout).toBe('theme\t"dark"\nlinks_ask_first\ttrue\n');
    expect((await cli.run('settings get theme')).stdout).toBe('"dark"\n');
    expect((await cli.run('settings get toString')).code).toBe(4);
  });

  it.each([
    ['links_ask_first true', { links_ask_first: true }],
    ['count 5 --delete theme', { count: 5, theme: null }],
    ['theme dark', { theme: 'dark' }],
    ['theme {"a":[1]}', { theme: { a: [1] } }],
    ['--delete theme --delete other', { theme: null, other: null }],
  ])('CLI-10: changes only what it names: %s', async (words, expected) => {
    expect((await cli.run(`settings set ${words}`)).code).toBe(0);
    expect(sent()).toEqual({ settings: expected });
  });

  it('CLI-03: reads several from the standard input, and refuses what is no object', async () => {
    expect((await cli.run('settings set --stdin', { input: '{"a":1,"b":null}' })).code).toBe(0);
    expect(sent()).toEqual({ settings: { a: 1, b: null } });
    for (const input of ['[1]', 'x', '', 'null'])
      expect((await cli.run('settings set --stdin', { input })).code).toBe(2);
    for (const words of ['settings set', 'settings set theme', 'settings set a 1 --stdin'])
      expect((await cli.run(words)).code).toBe(2);
  });

  it('CLI-03: says who may change them', async () => {
    cli.api.answers({ 'PUT /v1/settings': refusal(403, 'FORBIDDEN', { reason: 'ROLE_REQUIRED' }) });
    expect((await cli.run('settings set a 1')).code).toBe(3);
  });
});
