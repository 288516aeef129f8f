import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { completeKeys, keySettings } from './keys.ts';
import { provisionCluster } from './kubernetes-keys.ts';
import { KubernetesSecrets } from './kubernetes-secrets.ts';
import { readTopology } from './topology.ts';

/** The part of the API of Kubernetes for Secrets that the jobs use, with server-side apply. */
const stored = new Map<string, Record<string, string>>();
const requests: { method: string; url: string; authorization: string; contentType: string }[] = [];
let refusesFrom = Infinity;
let server: Server;
let secrets: KubernetesSecrets;

beforeAll(async () => {
  server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    requests.push({
      method,
      url,
      authorization: headers.authorization ?? '',
      contentType: headers['content-type'] ?? '',
    });
    const name = /\/secrets\/([^?]+)/.exec(url)?.[1] ?? '';
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (requests.length > refusesFrom) return void answer(403, { message: `secrets "${name}" is forbidden` });
    const encoded = (texts: Record<string, string>) =>
      Object.fromEntries(
        Object.entries(texts).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
      );
    if (method === 'GET') {
      const found = stored.get(name);
      return void (found ? answer(200, { data: encoded(found) }) : answer(404, { message: 'not found' }));
    }
    void text(request).then((body) => {
      const data: Record<string, string> = JSON.parse(body).data;
      const decoded = Object.entries(data).map(([key, value]) => [
        key,
        Buffer.from(value, 'base64').toString(),
      ]);
      stored.set(name, Object.fromEntries(decoded));
      answer(200, {});
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  secrets = new KubernetesSecrets({ origin: `http://127.0.0.1:${port}`, token: 'T', namespace: 'prod' });
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

beforeEach(() => {
  stored.clear();
  requests.length = 0;
  refusesFrom = Infinity;
});

const topology = readTopology();
const provision = () => provisionCluster(secrets, topology, 'v');

describe('The keys of an installation in a cluster', () => {
  it('are in a Secret for each service, with its settings alone', async () => {
    await provision();
    const keys = JSON.parse(stored.get('v-provision')?.['keys.json'] ?? '');
    for (const service of Object.keys(topology))
      expect(stored.get(`v-${service}-keys`)).toMatchObject(keySettings(topology, keys, service));
    expect(Object.keys(stored.get('v-sparks-keys') ?? {}).sort()).toEqual([
      'CALL_KEYS',
      'EVENT_KEYS',
      'EVENT_SIGNING_KEY',
      'NATS_NKEY_SEED',
    ]);
    expect(stored.get('v-nats')?.['nats-users.conf']).toContain(keys.nats.sparks[0].publicKey);
    expect(stored.get('v-nats')?.['nats-users.conf']).toContain(keys.natsAdministrator.publicKey);
    expect(stored.get('v-nats')?.['nats-users.conf']).not.toContain(keys.nats.sparks[0].seed);
  });

  it('are the same in the services that share them, and in no other', async () => {
    await provision();
    const holders = (name: string) =>
      [...stored].filter(([, texts]) => name in texts).map(([secret, texts]) => [secret, texts[name]]);
    const record = stored.get('v-gateway-keys')?.['CREDENTIAL_RECORD_KEY'] ?? '';
    expect(Buffer.from(record, 'base64')).toHaveLength(32);
    expect(holders('CREDENTIAL_RECORD_KEY').sort()).toEqual([
      ['v-auth-keys', record],
      ['v-gateway-keys', record],
    ]);
    expect(
      holders('POOL_SNAPSHOT_KEY')
        .map(([secret]) => secret)
        .sort(),
    ).toEqual(['v-auth-keys', 'v-gateway-keys', 'v-reporting-keys']);
    expect(holders('CURSOR_KEY').map(([secret]) => secret)).toEqual(['v-gateway-keys']);
  });

  it('stay at the next run, which adds what a new release needs', async () => {
    const former = { ...topology };
    delete former['integrations'];
    const keys = completeKeys(former);
    stored.set('v-provision', { 'keys.json': JSON.stringify(keys) });
    await provision();
    const now = JSON.parse(stored.get('v-provision')?.['keys.json'] ?? '');
    expect(now.events.sparks).toEqual(keys.events['sparks']);
    expect(now.events.integrations).toHaveLength(1);
    expect(stored.get('v-gateway-keys')?.['CURSOR_KEY']).toBe(keys.shared?.['CURSOR_KEY']?.[0]);
    const first = new Map(stored);
    await provision();
    expect(stored).toEqual(first);
  });

  it('are kept before any service has them, so that an interrupted run can be repeated', async () => {
    refusesFrom = 3;
    await expect(provision()).rejects.toThrow('secrets "v-gateway-keys" is forbidden');
    const kept = stored.get('v-provision');
    refusesFrom = Infinity;
    await provision();
    expect(stored.get('v-provision')).toEqual(kept);
  });

  it('are applied by the namespace and the token of the pod', async () => {
    await provision();
    expect(requests[1]).toEqual({
      method: 'PATCH',
      url: '/api/v1/namespaces/prod/secrets/v-provision?fieldManager=vaultsvc-provision&force=true',
      authorization: 'Bearer T',
      contentType: 'application/apply-patch+yaml',
    });
  });
});
