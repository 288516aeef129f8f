import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CliFixture } from '../testing/cli-fixture.js';
import { refusal } from '../testing/fake-api.js';

let cli: CliFixture;
beforeAll(async () => {
  cli = await CliFixture.start();
  await cli.openVault('vmk_1');
});
afterAll(() => cli.stop());

const created = { api_key_id: 'key_1', api_key: 'vk_live_secret', name: 'backup' };
const sent = () => JSON.parse(String(cli.api.calls.at(-1)?.body)) as object;

describe('vaultsvc keys create', () => {
  beforeEach(() => cli.api.answers({ 'POST /v1/api-keys': { status: 201, data: created } }));

  it('CLI-07: prints the key alone on the standard output, once', async () => {
    const { code, stdout, stderr } = await cli.run(['keys', 'create', 'backup job', '--days', '90']);
    expect([code, stdout]).toEqual([0, 'vk_live_secret\n']);
    expect(stderr).not.toContain('vk_live_secret');
    expect(sent()).toEqual({ name: 'backup job', expires_in_days: 90 });
    expect(JSON.parse((await cli.run('keys create backup --json')).stdout)).toEqual(created);
  });

  it('CLI-07 CLI-02: writes it to a new file with mode 0600, and nowhere else', async () => {
    const path = cli.path('new.key');
    for (const options of [[], ['--json']]) {
      const target = `${path}${options.length}`;
      const result = await cli.run(['keys', 'create', 'backup', '--out', target, ...options]);
      expect(result.code).toBe(0);
      expect(result.stdout + result.stderr).not.toContain('vk_live_secret');
      expect([readFileSync(target, 'utf8'), statSync(target).mode & 0o777]).toEqual([
        'vk_live_secret\n',
        0o600,
      ]);
    }
  });

  it('CLI-07: creates no key that it could not save', async () => {
    const path = cli.path('mine');
    writeFileSync(path, 'mine');
    expect((await cli.run(['keys', 'create', 'backup', '--out', path])).code).toBe(1);
    expect((await cli.run(['keys', 'create', 'backup', '--out', `${path}/x`])).code).toBe(1);
    expect([cli.api.called, readFileSync(path, 'utf8')]).toEqual([[], 'mine']);
  });

  it('CLI-03: leaves no file if the API refuses, and names the option', async () => {
    const fields = [{ field: 'expires_in_days', message: 'must be an integer from 1 to 3650' }];
    cli.api.answers({ 'POST /v1/api-keys': refusal(400, 'VALIDATION_ERROR', { fields }) });
    const path = cli.path('refused.key');
    const { code, stderr } = await cli.run(['keys', 'create', 'x', '--days', '90', '--out', path]);
    expect([code, statSync(path, { throwIfNoEntry: false })]).toEqual([1, undefined]);
    expect(stderr).toContain('--days must be an integer');
    for (const days of ['0', '3651', 'x'])
      expect((await cli.run(`keys create x --days ${days}`)).code).toBe(2);
  });
});

describe('vaultsvc keys revoke', () => {
  const key = (api_key_id: string, name: string, status = 'active') => ({ api_key_id, name, status });
  const list = (...api_keys: object[]) => ({ data: { api_keys, count: 1, active: 1, has_more: false } });

  it('CLI-03: finds a key by its name, if only one active key has it', async () => {
    cli.api.answers({
      'GET /v1/api-keys': list(
        key('key_1', 'job', 'revoked'),
        key('key_2', 'job'),
        key('key_3', 'twice'),
        key('key_4', 'twice'),
      ),
      'DELETE /v1/api-keys/key_2': { data: {} },
    });
    expect((await cli.run('keys revoke job --yes')).code).toBe(0);
    expect(cli.api.called.at(-1)).toBe('DELETE /v1/api-keys/key_2');
    expect(await cli.run('keys revoke twice --yes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('key_3, key_4'),
    });
    expect((await cli.run('keys revoke none --yes')).code).toBe(4);
  });

  it('CLI-01: does not repeat a key that was given in place of its id', async () => {
    cli.api.answers({});
    const { code, stderr } = await cli.run('keys revoke vk_live_hunter2 --yes');
    expect([code, cli.api.called]).toEqual([2, []]);
    expect(stderr).not.toContain('hunter2');
  });
});

describe('vaultsvc vault keys', () => {
  it('DVK-07 CLI-07: creates a delegated key with the master key that is kept, and prints it once', async () => {
    const data = { dvak_token: 'dvak_secret', last_4_chars: 'cret' };
    cli.api.answers({ 'POST /v1/vaults/vlt_1/dvaks': { status: 201, data } });
    const words = ['vault', 'keys', 'create', 'box', '--purpose', 'nightly backup', '--read-only'];
    expect(await cli.run(words)).toMatchObject({ code: 0, stdout: 'dvak_secret\n' });
    expect(sent()).toEqual({
      vmk: 'vmk_1',
      access_level: 'read',
      dvak_type: 'nhi',
      nhi_description: 'nightly backup',
    });
    expect((await cli.run('vault keys create box')).code).toBe(2);
  });

  it('CLI-10: lists for whom keys are, and whether they still work', async () => {
    const dvaks = [
      {
        last_4_chars: 'x7Qp',
        status: 'active',
        access_level: 'read',
        nhi_description: 'job',
        system_purpose: null,
      },
      { last_4_chars: 'aaaa', status: 'revoked', access_level: null, authorized_user_email: 'a@x.test' },
      { last_4_chars: 'bbbb', status: 'active', access_level: 'read', system_purpose: 'upload_portal' },
    ];
    cli.api.answers({
      'GET /v1/vaults/vlt_1/dvaks?status=active': { data: { dvaks, has_more: false, cursor: null } },
    });
    const { stdout } = await cli.run('vault keys list box --status active');
    expect(stdout.trim().split('\n')).toEqual([
      'x7Qp\tactive\tread\t-\tjob',
      'aaaa\trevoked\tread, write\t-\ta@x.test',
      'bbbb\tactive\tread\t-\tthe platform: upload portal',
    ]);
  });

  it('CLI-01: does not repeat a key that was given in place of its end', async () => {
    cli.api.answers({});
    const { code, stderr } = await cli.run('vault keys revoke box dvak_hunter2 --yes');
    expect([code, cli.api.called]).toEqual([2, []]);
    expect(stderr).not.toContain('hunter2');
  });

  it('CLI-10: are a group within a group, for help and suggestions', async () => {
    expect((await cli.run('vault keys --help')).stdout).toContain('vault keys revoke');
    expect((await cli.run('help vault keys')).stdout).not.toContain('vault open');
    expect((await cli.run('help vault keys list')).stdout).toContain('vaultsvc vault keys list <vault>');
    const { code, stderr } = await cli.run('vault keys lsit box');
    expect([code, stderr]).toEqual([2, expect.stringContaining('Did you mean "vault keys list"?')]);
    expect((await cli.run('vault keys')).stderr).toContain('"vault keys" is incomplete');
  });
});
