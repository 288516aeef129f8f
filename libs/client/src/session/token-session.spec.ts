import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createClient } from '../client.js';
import { FileSessionStore } from '../node/file-session-store.js';
import { refusal, ScriptedServer, success, type ReceivedRequest } from '../testing/scripted-server.js';
import { TokenSession } from './token-session.js';

let server: ScriptedServer;
let folder: string;
beforeAll(async () => {
  server = await ScriptedServer.start();
  folder = await mkdtemp(join(tmpdir(), 'client-session-'));
});
afterAll(() => Promise.all([server.stop(), rm(folder, { recursive: true })]));

/** The API: the newest pair of tokens is valid; an older refresh token is a replay. */
let generation: number;
beforeEach(() => {
  generation = 1;
  server.answer(({ url, headers, body }: ReceivedRequest) => {
    if (url === '/v1/auth/refresh') {
      if (body !== JSON.stringify({ refresh_token: `r${generation}` })) return refusal(401, 'TOKEN_REPLAY');
      generation += 1;
      return success({ access_token: `a${generation}`, refresh_token: `r${generation}` });
    }
    if (url === '/v1/auth/logout') return { status: 204 };
    return headers.authorization === `Bearer a${generation}`
      ? success({})
      : refusal(401, 'AUTHENTICATION_ERROR');
  });
});

let files = 0;
const newPath = () => join(folder, 'keys', `session-${(files += 1)}.json`);
const sessionIn = (path: string) => new TokenSession({ url: server.url }, new FileSessionStore(path));
const renewals = () => server.requests.filter(({ url }) => url === '/v1/auth/refresh').length;
const opened = { access_token: 'a1', refresh_token: 'r1' };

describe('The session of a program', () => {
  it('SDK-07: renews a refused access token once, for all calls that wait for it', async () => {
    const session = sessionIn(newPath());
    await session.adopt({ ...opened, access_token: 'a0' });
    const client = createClient({ url: server.url, session });
    await Promise.all([client.GET('/v1/me'), client.GET('/v1/me'), client.GET('/v1/me')]);
    expect(renewals()).toBe(1);
    expect(await session.accessToken()).toBe('a2');
  });

  it('SDK-07: is renewed by one of several processes at a time, and the others use the new tokens', async () => {
    const path = newPath();
    await sessionIn(path).adopt({ ...opened, access_token: 'a0' });
    // Each has a store of its own, as processes do.
    const clients = Array.from({ length: 5 }, () =>
      createClient({ url: server.url, session: sessionIn(path) }),
    );
    await Promise.all(clients.map((client) => client.GET('/v1/me')));
    expect(renewals()).toBe(1);
  });

  it('SDK-07: keeps its tokens in a file that only its user can read', async () => {
    const path = newPath();
    await sessionIn(path).adopt(opened);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'keys'))).mode & 0o777).toBe(0o700);
  });

  it('SDK-07: repeats a renewal whose response was lost with the same token', async () => {
    const session = sessionIn(newPath());
    await session.adopt(opened);
    server.script('cut', success({ access_token: 'a2', refresh_token: 'r2' }));
    expect(await session.renewAfter('a1')).toBe('a2');
    expect(server.requests.map(({ body }) => body)).toEqual(Array(2).fill('{"refresh_token":"r1"}'));
  });

  it('SDK-07: is over after a 401, and the tokens are deleted', async () => {
    const session = sessionIn(newPath());
    await session.adopt(opened);
    server.script(refusal(401, 'TOKEN_REPLAY'));
    const client = createClient({ url: server.url, session });
    await expect(client.GET('/v1/me')).rejects.toMatchObject({ status: 401 });
    expect(await session.accessToken()).toBeUndefined();
  });

  it('SDK-07: ends at sign-out, in the API and in the store', async () => {
    const session = sessionIn(newPath());
    await session.adopt(opened);
    await session.end();
    expect(server.requests).toMatchObject([{ url: '/v1/auth/logout', body: '{"refresh_token":"r1"}' }]);
    expect(await session.accessToken()).toBeUndefined();
  });
});
