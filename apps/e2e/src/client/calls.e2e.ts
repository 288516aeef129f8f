import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiError, createClient, paginate, TokenSession, unseal } from '@vaultsvc/client';
import { AuditExportProblem, verifyAuditExport } from '@vaultsvc/client/audit';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { InstalledPackage } from '../../../../tools/client/installed-package.ts';
import { oldestNode } from '../../../../tools/node/oldest-node.ts';
import { identity, newEmail } from '../sign-in.js';
import { stack } from '../stack.js';
import { eventually } from '@vaultsvc/testing/waiting';

const { api_url, account } = stack();
const options = { url: api_url, apiKey: account.api_key };
const client = createClient(options);
const execute = promisify(execFile);
let installed: InstalledPackage;
beforeAll(async () => void (installed = await InstalledPackage.make()));
afterAll(() => installed.remove());

describe('The client with an API key', () => {
  it('SDK-12: works from the packed tarball: Sparks, files, a receipt and an export of the audit log', async () => {
    const env = { ...process.env, VAULTSVC_URL: api_url, VAULTSVC_API_KEY: account.api_key };
    const { stdout } = await execute(oldestNode(), ['program.js'], { cwd: installed.folder, env });
    expect(JSON.parse(stdout)).toEqual({
      sparks: { listed: 3, payload: 'one', again: 'FORBIDDEN' },
      files: { sent: 60_000_000, isEqual: true, range: 'content', text: 'hello' },
      receipt: 'approve',
      audit: true,
    });
  });

  it('SDK-02: rejects with the fields of an invalid body', async () => {
    const error = await client
      .POST('/v1/sparks', { body: { payload: 'x', ttl_minutes: 0 } })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    expect((error as ApiError).fields.map(({ field }) => field)).toEqual(['ttl_minutes']);
    expect((error as ApiError).requestId).toMatch(/^req_/);
  });

  it('SDK-04: creates one Spark where the response to the first attempt was lost', async () => {
    let attempts = 0;
    const lossy = createClient({
      ...options,
      fetch: async (request) => {
        const response = await fetch(request);
        if ((attempts += 1) === 1) throw new TypeError('the response was lost');
        return response;
      },
    });
    const { response } = await lossy.POST('/v1/sparks', { body: { payload: 'once' } });
    expect([attempts, response.headers.get('Idempotent-Replayed')]).toEqual([2, 'true']);
  });

  it('SDK-06: iterates over lists with either kind of cursor', async () => {
    const { data } = await client.POST('/v1/vaults', { body: { name: `paged ${newEmail()}` } });
    const vault = await unseal(client, data.vault_id, { vmk: data.vmk });
    const path = { vault_id: data.vault_id };
    for (const name of ['a', 'b', 'c'])
      await vault.client.POST('/v1/vaults/{vault_id}/folders', { params: { path }, body: { name } });
    const names: string[] = [];
    const params = { path, query: { limit: 1 } };
    for await (const { name } of paginate(vault.client, '/v1/vaults/{vault_id}/folders', { params }))
      names.push(name);
    expect(names.sort()).toEqual(['a', 'b', 'c']);
    for (const payload of ['https://example.com/1', 'https://example.com/2'])
      await client.POST('/v1/sparks', { body: { payload, content_type: 'text/uri-list' } });
    let links = 0;
    for await (const { link_code } of paginate(client, '/v1/sparklinks', {
      params: { query: { limit: 1 } },
    })) {
      expect(link_code).toMatch(/^[\w-]+$/);
      if ((links += 1) === 2) break;
    }
    expect(links).toBe(2);
  });

  it('SDK-11: verifies an export of the audit log, and names the entry that was changed', async () => {
    await client.POST('/v1/sparks', { body: { payload: 'logged' } });
    // Other tests use this account, and erase entries of it, which then have no type.
    const typed = /"type":"(spark|vault|key)_/;
    const exported = await eventually(
      async () => (await client.stream('/v1/audit-logs/export')).text(),
      (text) => typed.test(text),
    );
    const report = await verifyAuditExport(exported);
    expect(report).toMatchObject({ account: account.account_id });
    expect(report.entries).toBeGreaterThan(0);
    const lines = exported.split('\n');
    const index = lines.findIndex((line) => typed.test(line));
    const { seq } = JSON.parse(lines[index] ?? '') as { seq: number };
    const changed = lines.with(index, (lines[index] ?? '').replace(typed, '"type":"other_'));
    const problem = await verifyAuditExport(changed.join('\n')).catch((thrown: unknown) => thrown);
    expect(problem).toBeInstanceOf(AuditExportProblem);
    expect(problem).toMatchObject({ kind: 'edited', seq });
  });
});

describe('The client with the session of a person', () => {
  it('SDK-07: signs in, renews a refused access token, and signs out', async () => {
    const session = new TokenSession({ url: api_url });
    const person = createClient({ url: api_url, session });
    await session.signIn(await identity.code({ email: newEmail() }));
    const body = { organization_name: 'Client of a person' };
    await session.adopt((await person.POST('/v1/auth/complete-signup', { body })).data);
    const first = await session.accessToken();
    expect(await session.renewAfter(first ?? '')).not.toBe(first);
    expect((await person.GET('/v1/me')).data.role).toBe('owner');
    await session.end();
    await expect(person.GET('/v1/me')).rejects.toMatchObject({ status: 401 });
  });
});
