import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verifyIdentity } from '@vaultsvc/contracts/auth';
import { createSpark, readSpark } from '@vaultsvc/contracts/sparks';
import { api } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import { identityAt } from '@vaultsvc/tools-testing/identity-client';
import { startTemporaryStack, type TemporaryStack } from '../../../tools/stack/temporary-stack.ts';
import type { Stack } from './stack.js';

const SERVICES = ['gateway', 'auth', 'sparks', 'vaults', 'forge', 'notify', 'integrations', 'reporting'];
/** What the README's commands may cost: the limit of a small installation. */
const PSS_KILOBYTES_MAX = 350 * 1_024;

let own: TemporaryStack;
const stack = () => own.descriptor() as Stack;
const pid = () => stack().services['sparks']?.pid ?? 0;
const readiness = async () => {
  const response = await fetch(`${stack().services['sparks']?.private_url}/readyz`);
  return { status: response.status, body: (await response.json()) as { checks: Record<string, boolean> } };
};

/** Runs the program `all check` with the settings of the running process, and others. */
async function check(others: Readonly<Record<string, string>>): Promise<{ status: number; output: string }> {
  const lines = readFileSync(`/proc/${pid()}/environ`, 'utf8').split('\0').filter(Boolean);
  const settings = lines.map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)] as const);
  const env = { ...Object.fromEntries(settings), ...others };
  const child = spawn(process.execPath, ['apps/all/dist/check.js'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { status: status as number, output };
}

beforeAll(async () => {
  // A frozen Redis is to be noticed.
  own = await startTemporaryStack({ args: ['--one'], settings: { REDIS_ANSWER_MS: '2500' } });
}, 300_000);
afterAll(() => own.stop());

describe('npm start -- --one', () => {
  it('runs all services in one process', () => {
    const pids = SERVICES.map((service) => stack().services[service]?.pid);
    expect(new Set(pids).size).toBe(1);
    expect(readFileSync(`/proc/${pid()}/cmdline`, 'utf8')).toContain('apps/all/dist/main.js');
  });

  it("serves the README's commands in at most 350 MB", async () => {
    const { api_url, oidc, account } = stack();
    const caller = api(api_url, { key: account.api_key });
    const body = {
      payload: 'hello',
      content_type: 'text/plain',
      ttl_minutes: 5,
      filename: null,
      with_kindling: false,
    };
    const { data } = await caller.call(createSpark, { body });
    const params = { spark_id: data?.spark_id ?? '' };
    expect((await caller.call(readSpark, { params })).data).toMatchObject({ payload: 'hello' });
    expect(await caller.call(readSpark, { params })).toMatchObject({ status: 403 });
    const client = { issuer: oidc.issuer, clientId: oidc.client_id, redirectUri: oidc.redirect_uri };
    const token = await identityAt(client).idToken({ email: 'one@example.com' });
    expect(await api(api_url).call(verifyIdentity, { body: { token } })).toMatchObject({ status: 200 });
    const [, pss] = /^Pss: +(\d+) kB$/m.exec(readFileSync(`/proc/${pid()}/smaps_rollup`, 'utf8')) ?? [];
    expect(Number(pss)).toBeLessThan(PSS_KILOBYTES_MAX);
  });

  it('names every check by its service, and is not ready while a server of one of them is down', async () => {
    const { status, body } = await eventually(readiness, (found) => found.status === 200);
    expect(status).toBe(200);
    const checked = Object.keys(body.checks).map((name) => name.split('.')[0]);
    expect(new Set(checked)).toEqual(new Set(SERVICES));
    const { redis } = stack().infrastructure;
    process.kill(redis.pid, 'SIGSTOP');
    try {
      const failing = await eventually(readiness, ({ body }) => body.checks['auth.redis'] === false);
      expect(failing.status).toBe(503);
      expect(failing.body.checks).toMatchObject({ 'sparks.postgres': true, 'notify.nats': true });
    } finally {
      process.kill(redis.pid, 'SIGCONT');
    }
    await eventually(readiness, (found) => found.status === 200);
  });

  it('MISC-01: passes the checks of all services, which fail for one with another key than the others', async () => {
    const { status, output } = await check({});
    expect(output).not.toContain('FAIL');
    for (const service of SERVICES)
      expect(output).toMatch(new RegExp(`^${service}: all of \\d+ checks passed$`, 'm'));
    expect(status).toBe(0);
    const another = Buffer.alloc(32, 1).toString('base64');
    const refused = await check({ GATEWAY_CREDENTIAL_RECORD_KEY: another });
    expect(refused.output).toMatch(/^FAIL {2}CREDENTIAL_RECORD_KEY /m);
    expect(refused.output).toMatch(/^gateway: 1 failed of \d+ checks$/m);
    expect(refused.output).toMatch(/^auth: all of \d+ checks passed$/m);
    expect(refused.status).toBe(1);
  }, 180_000);

  it('has the metrics of all services, each series once', async () => {
    const response = await fetch(`${stack().services['sparks']?.private_url}/metrics`);
    const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const ready = lines.filter((line) => line.startsWith('vaultsvc_ready{'));
    expect(ready.toSorted()).toEqual(
      SERVICES.toSorted().map((service) => `vaultsvc_ready{service="${service}"} 1`),
    );
    const series = lines.map((line) => line.slice(0, line.lastIndexOf(' ')));
    expect(new Set(series).size).toBe(series.length);
  });
});

describe('SIGTERM', () => {
  it('stops all services and ends the process, which the stack starts again', async () => {
    const before = pid();
    process.kill(before, 'SIGTERM');
    await eventually(
      async () => pid(),
      (now) => now !== 0 && now !== before,
    );
    // Nothing listens before it has started.
    const status = () =>
      readiness().then(
        (found) => found.status,
        () => undefined,
      );
    expect(await eventually(status, (found) => found === 200, 60)).toBe(200);
  });
});
