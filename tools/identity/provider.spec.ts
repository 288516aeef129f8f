import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request as rawRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@vaultsvc/testing/waiting';
import type { ProvedCode } from '@vaultsvc/tools-testing/authorization';
import { identityAt, type Person } from '@vaultsvc/tools-testing/identity-client';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { identityPlan } from '../stack/servers/identity.ts';
import { freePort } from '../stack/servers/ports.ts';
import { Server } from '../stack/servers/server.ts';
import { Supervisor } from '../stack/supervisor.ts';

const clientId = 'vaultsvc-local';
const folder = mkdtempSync(join(tmpdir(), 'vaultsvc-identity-'));
/** The shared provider; tests that stop it or need other options start their own. */
let url: string;
let shared: InstanceType<typeof Server>;
const running = new Set<InstanceType<typeof Server>>();
let folders = 0;

async function prepare(options: { redirectUri?: string; trusted?: string } = {}) {
  const dataDir = join(folder, `data-${(folders += 1)}`);
  const port = await freePort();
  const plan = identityPlan({
    dataDir,
    port,
    apiOrigin: 'http://127.0.0.1:8080',
    clientId,
    trusted: options.trusted ?? `http://127.0.0.1:${port}`,
    redirectUri: options.redirectUri ?? `http://127.0.0.1:${port}/signin`,
    logPath: join(folder, 'log'),
    childrenDir: join(folder, 'children'),
  });
  const server = new Server(plan);
  running.add(server);
  return { server, url: server.url, stateFile: join(dataDir, 'keys.json') };
}

async function start(options?: Parameters<typeof prepare>[0]) {
  const prepared = await prepare(options);
  await prepared.server.start();
  return prepared;
}

async function tokenFor(
  url: string,
  body: unknown,
): Promise<{ status: number; id_token: string; error: string }> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(`${url}/token-for`, { method: 'POST', body: text });
  return { status: response.status, ...((await response.json()) as { id_token: string; error: string }) };
}

/** Signs in by the form of the page and returns the code. */
const signInByForm = (person: Person) =>
  identityAt({ issuer: url, clientId, redirectUri: `${url}/signin` }).code(person);

/** Exchanges a code as the API does. Throws the provider's error. */
async function exchange({ code, code_verifier }: ProvedCode): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: `${url}/signin`,
    code,
    code_verifier,
  });
  const response = await fetch(`${url}/token`, { method: 'POST', body });
  const { id_token, error } = (await response.json()) as { id_token: string; error?: string };
  if (error) throw new Error(error);
  return id_token;
}

async function verified(url: string, token: string) {
  const keys = createRemoteJWKSet(new URL(`${url}/jwks`));
  const { payload } = await jwtVerify(token, keys, {
    issuer: url,
    audience: clientId,
    algorithms: ['ES256'],
  });
  return payload;
}

beforeAll(async () => {
  ({ server: shared, url } = await start());
  running.delete(shared);
});

afterEach(async () => {
  for (const server of running) await server.kill('SIGKILL');
  running.clear();
});

afterAll(async () => {
  await shared.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

describe('OPEN-47: the local identity provider', () => {
  it('publishes its endpoints, PKCE with S256, and its public key', async () => {
    const discovered = await (await fetch(`${url}/.well-known/openid-configuration`)).json();
    expect(discovered).toMatchObject({
      issuer: url,
      authorization_endpoint: `${url}/auth`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/jwks`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      id_token_signing_alg_values_supported: ['ES256'],
      token_endpoint_auth_methods_supported: ['none'],
    });
    const { keys } = (await (await fetch(`${url}/jwks`)).json()) as { keys: object[] };
    expect(keys).toEqual([expect.not.objectContaining({ d: expect.anything() })]);
  });

  it('issues scripts an ID token for the client, which its published key verifies', async () => {
    const { status, id_token } = await tokenFor(url, { email: 'Ann@Example.com', name: 'Ann Ärmel' });
    expect(status).toBe(200);
    const claims = await verified(url, id_token);
    expect(claims).toMatchObject({ email: 'Ann@Example.com', email_verified: true, name: 'Ann Ärmel' });
    expect(claims.exp).toBe((claims.iat ?? 0) + 3600);
    expect(claims.sub).not.toContain('@');
  });

  it('issues an unverified address on request, and uses the local part of the address as the default name', async () => {
    const { id_token } = await tokenFor(url, { email: 'bob@example.com', email_verified: false });
    expect(await verified(url, id_token)).toMatchObject({ email_verified: false, name: 'bob' });
  });

  it('AUTH-36: issues the same subject to scripts and on the page, regardless of the case of the address', async () => {
    const typed = { email: 'Carla@example.com', name: 'Carla' };
    const signedIn = await verified(url, await exchange(await signInByForm(typed)));
    expect(signedIn).toMatchObject({ ...typed, email_verified: true });
    const script = await verified(url, (await tokenFor(url, { email: 'carla@EXAMPLE.com' })).id_token);
    expect(script.sub).toBe(signedIn.sub);
    const other = await verified(url, (await tokenFor(url, { email: 'carl@example.com' })).id_token);
    expect(other.sub).not.toBe(signedIn.sub);
  });

  it('rejects a code without its verifier, a reused code, and a challenge other than S256', async () => {
    const typed = { email: 'dora@example.com' };
    const stolen = { ...(await signInByForm(typed)), code_verifier: 'x'.repeat(43) };
    await expect(exchange(stolen)).rejects.toThrow('invalid_grant');
    const own = await signInByForm(typed);
    await exchange(own);
    await expect(exchange(own)).rejects.toThrow('invalid_grant');
    const redirect = encodeURIComponent(`${url}/signin`);
    const question = `${url}/auth?client_id=${clientId}&response_type=code&scope=openid&redirect_uri=${redirect}`;
    for (const challenge of ['', `&code_challenge=${'x'.repeat(43)}&code_challenge_method=plain`]) {
      const answer = await fetch(question + challenge, { redirect: 'manual' });
      expect(answer.headers.get('location')).toMatch(/signin\?error=invalid_request/);
    }
  });

  it('redirects only to registered URIs, and shows an error page for others', async () => {
    const { url } = await start({ redirectUri: 'http://localhost:3000/callback' });
    const ask = (to: string) =>
      fetch(
        `${url}/auth?client_id=${clientId}&response_type=code&scope=openid&code_challenge=${'x'.repeat(43)}&code_challenge_method=S256&redirect_uri=${encodeURIComponent(to)}`,
        { redirect: 'manual' },
      );
    const refused = await ask('http://evil.example/');
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('Start over');
    for (const to of ['http://localhost:3000/callback', `${url}/signin`])
      expect((await ask(to)).status).toBe(303);
  });

  it.each([
    ['a missing address', {}, 'email: type an e-mail address'],
    ['an invalid address', { email: 'nobody' }, 'email: must look like ann@example.com'],
    ['an address that the API refuses', { email: 'a@b' }, 'email: must look like ann@example.com'],
    [
      'a long address',
      { email: `${'x'.repeat(60)}@${'y'.repeat(200)}.example` },
      'email: must be at most 254 characters',
    ],
    ['a number', { email: 7 }, 'email: type an e-mail address'],
    [
      'a name of two lines',
      { email: 'a@b.example', name: 'a\nb' },
      'name: must be text without control characters',
    ],
    ['a long name', { email: 'a@b.example', name: 'x'.repeat(256) }, 'name: must be at most 255 characters'],
    [
      'a verification that is not a boolean',
      { email: 'a@b.example', email_verified: 'yes' },
      'email_verified: must be true or false',
    ],
    [
      'an unknown field',
      { email: 'a@b.example', mail: 'x' },
      'unknown field "mail"; known: email, name, email_verified',
    ],
    [
      'a body that is not JSON',
      'not JSON',
      'send a JSON object: {"email": "ann@example.com", "name": "Ann"}',
    ],
    ['a list', [], 'send a JSON object: {"email": "ann@example.com", "name": "Ann"}'],
  ])('answers 400 to %s, with the reason', async (_, body, error) => {
    expect(await tokenFor(url, body)).toEqual({ status: 400, error });
  });

  it('answers 413 to a long body and 405 to another method', async () => {
    expect((await tokenFor(url, { email: 'x'.repeat(20_000) })).status).toBe(413);
    expect((await fetch(`${url}/token-for`)).status).toBe(405);
  });

  it('shows the form again for an invalid address, with the escaped input', async () => {
    const typed = { email: '"><script>alert(1)</script>', name: 'Eve' };
    const page = await signInByForm(typed).then(
      () => 'no refusal',
      (error: Error) => error.message,
    );
    expect(page).toContain('must look like ann@example.com');
    expect(page).toContain('&quot;&gt;&lt;script&gt;');
    expect(page).not.toContain('<script');
  });

  it('offers to start over when the sign-in is unknown or expired', async () => {
    const response = await fetch(`${url}/interaction/${randomBytes(16).toString('base64url')}`);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('Start over');
  });

  it('OPEN-55: answers only under its own host name, and without CORS headers for other sites', async () => {
    const { port } = new URL(url);
    const answerTo = async (host: string) => {
      const request = rawRequest({ port, host: '127.0.0.1', path: '/signin', headers: { host } }).end();
      const [response] = await once(request, 'response');
      response.resume();
      return [response.statusCode, response.headers.location];
    };
    expect(await answerTo(`evil.test:${port}`)).toEqual([421, undefined]);
    expect(await answerTo(`localhost:${port}`)).toEqual([308, `${url}/signin`]);
    const foreign = await fetch(`${url}/token-for`, {
      method: 'POST',
      headers: { origin: 'http://evil.example' },
      body: '{"email":"a@b.example"}',
    });
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('serves a page that runs only its own script and connects only to the API', async () => {
    const response = await fetch(`${url}/signin`);
    const text = await response.text();
    const hashOf = (source = '') => createHash('sha256').update(source).digest('base64');
    const [, style] = /<style>(.*?)<\/style>/s.exec(text) ?? [];
    const [, script] = /<script>(.*?)<\/script>/s.exec(text) ?? [];
    expect(response.headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${hashOf(style)}'; script-src 'sha256-${hashOf(script)}'; ` +
        `connect-src http://127.0.0.1:8080; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
    );
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(text).not.toMatch(/(src|href)=/);
  });

  it('redirects to the provider that the API trusts, as soon as that provider answers', async () => {
    const trusted = await prepare();
    const { url: page } = await start({ trusted: trusted.url });
    const unavailable = await fetch(`${page}/signin`);
    expect(unavailable.status).toBe(502);
    expect(await unavailable.text()).toContain(`${trusted.url} does not answer`);
    await trusted.server.start();
    const answer = await (await fetch(`${page}/signin`)).text();
    expect(answer).toContain(`data-authorize="${trusted.url}/auth"`);
    expect(answer).toContain(`data-redirect-uri="${page}/signin"`);
  });

  it('keeps its key after a restart, in a file that only its owner can read', async () => {
    const { server, url, stateFile } = await start();
    const { id_token } = await tokenFor(url, { email: 'fay@example.com' });
    expect(statSync(stateFile).mode & 0o777).toBe(0o600);
    await server.restart();
    const claims = await verified(url, id_token);
    const again = await tokenFor(url, { email: 'fay@example.com' });
    expect(decodeProtectedHeader(again.id_token).kid).toBe(decodeProtectedHeader(id_token).kid);
    expect((await verified(url, again.id_token)).sub).toBe(claims.sub);
  });

  it('MISC-01: is restarted after a kill, and signs with the same key', async () => {
    const { server, url } = await start();
    const { id_token } = await tokenFor(url, { email: 'gus@example.com' });
    const supervisor = new Supervisor({ onEvent: () => {}, onChange: () => {} });
    supervisor.watch(server);
    const before = server.pid;
    process.kill(before, 'SIGKILL');
    await until(async () => server.pid !== 0 && server.pid !== before);
    supervisor.stop();
    // The supervisor does not wait for readiness.
    await until(() => server.plan.probe().then(() => true));
    expect(await verified(url, id_token)).toMatchObject({ email: 'gus@example.com' });
  });

  it.each(['{}', 'not JSON', '{"version":2}'])(
    'rejects %s as its key file without changing it',
    async (text) => {
      const { server, stateFile } = await prepare();
      writeFileSync(stateFile, text, { mode: 0o600 });
      await expect(server.start()).rejects.toThrow(stateFile);
      expect(readFileSync(stateFile, 'utf8')).toBe(text);
    },
  );

  it('rejects a key file that other users may read', async () => {
    const { server, stateFile } = await prepare();
    writeFileSync(stateFile, '{}');
    chmodSync(stateFile, 0o644);
    await expect(server.start()).rejects.toThrow('chmod 600');
  });
});
