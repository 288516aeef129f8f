import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inviteUser, verifyIdentity } from '@vaultsvc/contracts/auth';
import { createSpark, readSpark } from '@vaultsvc/contracts/sparks';
import { api } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import { identityAt } from '@vaultsvc/tools-testing/identity-client';
import { decodeJwt } from 'jose';
import { startTemporaryStack, type TemporaryStack } from '../../../tools/stack/temporary-stack.ts';
import { mailsTo } from './inbox.js';
import type { Stack } from './stack.js';

const SERVICES = ['gateway', 'auth', 'sparks', 'vaults', 'forge', 'notify', 'integrations', 'reporting'];

let own: TemporaryStack;
const stack = () => own.descriptor() as Stack;
const body = {
  payload: 'still here',
  content_type: 'text/plain',
  ttl_minutes: 5,
  filename: null,
  with_kindling: false,
};
const caller = () => api(stack().api_url, { key: stack().account.api_key });
const create = async () =>
  (
    await caller()
      .call(createSpark, { body })
      .catch(() => undefined)
  )?.data;
/** Waits until a Spark can be created: killed processes have to restart, and clients to reconnect. */
const waitForMainJob = () => eventually(create, (made) => made !== undefined, 60);

beforeAll(async () => {
  own = await startTemporaryStack(); // not the shared stack of the run, because the tests kill its processes
}, 300_000);
afterAll(() => own.stop());

describe('MISC-01: the supervision of the stack', () => {
  it('runs each service in a separate process', () => {
    const pids = SERVICES.map((service) => stack().services[service]?.pid);
    expect(new Set(pids).size).toBe(8);
    for (const pid of pids) expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toContain('main.js');
  });

  it('MISC-01: keeps the routes of other services working while some are stopped', async () => {
    const { reporting, notify } = stack().services;
    process.kill(notify?.pid ?? 0, 'SIGSTOP');
    process.kill(reporting?.pid ?? 0, 'SIGSTOP');
    try {
      expect(await create()).toBeDefined();
    } finally {
      process.kill(notify?.pid ?? 0, 'SIGCONT');
      process.kill(reporting?.pid ?? 0, 'SIGCONT');
    }
  });

  it.each(SERVICES)('restarts %s after kill -9, after which Sparks can be created', async (service) => {
    const before = stack().services[service]?.pid ?? 0;
    process.kill(before, 'SIGKILL');
    await eventually(
      async () => stack().services[service]?.pid,
      (pid) => pid !== undefined && pid !== before,
    );
    expect(await waitForMainJob()).toBeDefined();
  });

  it.each(['postgres', 'redis', 'nats'] as const)(
    'ENV-30 ENV-36: restarts %s after kill -9, while the API answers in the envelope, and no data is lost',
    async (server) => {
      const kept = await waitForMainJob();
      const before = stack().infrastructure[server].pid;
      process.kill(before, 'SIGKILL');
      const meanwhile = await caller().send({ method: 'GET', target: '/v1/sparks' });
      expect([200, 429, 500]).toContain(meanwhile.status);
      await eventually(
        async () => stack().infrastructure[server].pid,
        (pid) => pid !== before,
      );
      await waitForMainJob();
      const read = await caller().call(readSpark, { params: { spark_id: kept?.spark_id ?? '' } });
      expect(read.data?.payload).toBe('still here');
    },
    240_000,
  );

  it('OPEN-47: restarts the identity provider after kill -9, which affects neither API keys nor the subjects of people', async () => {
    const person = { email: 'ann@supervised.example' };
    // Auth may still be reconnecting to NATS, which the previous test killed.
    const subject = await identified(person);
    const before = stack().identity.pid;
    process.kill(before, 'SIGKILL');
    expect((await caller().send({ method: 'GET', target: '/v1/sparks' })).status).toBe(200);
    await eventually(
      () => stack().identity.pid,
      (pid) => pid !== before,
    );
    expect(await identified(person)).toBe(subject);
  });

  it('OPEN-35: restarts the inbox after kill -9, after which the mail of a concurrent invitation arrives', async () => {
    const before = stack().mail.pid;
    const body = { email: 'bob@supervised.example', role: 'member', seat: 'full' } as const;
    process.kill(before, 'SIGKILL');
    expect((await caller().call(inviteUser, { body })).status).toBe(201);
    await eventually(
      () => stack().mail.pid,
      (pid) => pid !== before,
    );
    const arrived = () => mailsTo(stack().mail_url, body.email).catch(() => []);
    // Notify sends again 5, 10 and 20 s after failures.
    expect(await eventually(arrived, (mails) => mails.length > 0, 90)).toHaveLength(1);
  }, 180_000);
});

/** Retries until the identity provider and auth are available. */
function identified(person: { email: string }): Promise<unknown> {
  return eventually(() => identify(person).catch(() => undefined), Boolean);
}

/** Signs in with the stack's identity provider and returns the subject of the access token. */
async function identify(person: { email: string }): Promise<unknown> {
  const { oidc, api_url } = stack();
  const identity = identityAt({
    issuer: oidc.issuer,
    clientId: oidc.client_id,
    redirectUri: oidc.redirect_uri,
  });
  const body = { token: await identity.idToken(person) };
  const { data } = await api(api_url).call(verifyIdentity, { body });
  return decodeJwt(data?.access_token ?? '').sub;
}
