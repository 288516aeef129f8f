import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectTo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, nkeyAuthenticator } from '@nats-io/transport-node';
import { startRedis } from '@vaultsvc/testing/servers';
import { createClient } from '@redis/client';
import { freePort } from '../stack/servers/ports.ts';
import { Server } from '../stack/servers/server.ts';
import { completeAccesses, redisSettings, redisUsersFile } from './administrators.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'provision-'));
  certificates(join(folder, 'tls'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function certificates(into: string) {
  mkdirSync(into);
  const files = ['-keyout', join(into, 'tls.key'), '-out', join(into, 'tls.crt')];
  const options = ['-newkey', 'ed25519', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
  execFileSync('openssl', ['req', '-x509', ...files, ...options, '-addext', 'subjectAltName=DNS:localhost'], {
    stdio: 'pipe',
  });
  writeFileSync(join(into, 'ca.crt'), readFileSync(join(into, 'tls.crt')));
}

/** Runs the command into a folder of its own. */
function provision(...args: string[]): string {
  const out = mkdtempSync(join(folder, 'out-'));
  const command = ['tools/run.cjs', 'tools/provision/run.ts', '--keys', join(out, 'keys.json'), '--out', out];
  execFileSync(process.execPath, [...command, ...args], {
    stdio: 'pipe',
    env: { PATH: process.env['PATH'] },
  });
  return out;
}

/** The configuration with the folders and ports of this machine. */
function localConfig(out: string, port = 4222): string {
  const text = readFileSync(join(out, 'nats.conf'), 'utf8')
    .replaceAll('/etc/nats/tls', join(folder, 'tls'))
    .replace('/data/jetstream', join(out, 'jetstream'))
    .replace('0.0.0.0:4222', `127.0.0.1:${port}`)
    .replace('http: "127.0.0.1:8222"\n', '');
  const path = join(out, 'local.conf');
  writeFileSync(path, text);
  return path;
}

/** The server greets before it speaks TLS. */
async function listens(port: number): Promise<void> {
  const socket = connectTo(port, '127.0.0.1');
  await once(socket, 'data').finally(() => socket.destroy());
}

describe('npm run provision', () => {
  it('writes a configuration of a cluster for NATS 2.10, and without sync_interval for 2.9, which accepts it', () => {
    const servers =
      'tls://nats-0.example.com:4222,tls://nats-1.example.com:4222,tls://nats-2.example.com:4222';
    const current = provision('--nats', servers);
    expect(readFileSync(join(current, 'nats.conf'), 'utf8')).toContain('sync_interval: always');
    const older = provision('--nats', servers, '--nats-release', '2.9');
    const path = localConfig(older);
    expect(readFileSync(path, 'utf8')).toContain('"tls://nats-2.example.com:6222"');
    const env = { PATH: process.env['PATH'], NATS_SERVER_NAME: 'nats-0' };
    execFileSync('nats-server', ['-t', '-c', path], { env, stdio: 'pipe' });
  });

  it('makes an administrator of NATS who may delete the stream, as the runbook of a restore orders', async () => {
    const out = provision('--nats-release', '2.9');
    const port = await freePort();
    const server = await new Server({
      name: 'nats',
      url: `tls://localhost:${port}`,
      command: 'nats-server',
      args: ['-c', localConfig(out, port)],
      env: { PATH: process.env['PATH'], NATS_SERVER_NAME: 'nats-0' },
      stopSignal: 'SIGTERM',
      probe: () => listens(port),
      logPath: join(out, 'nats.log'),
      childrenDir: join(out, 'children'),
    }).start();
    const seed = readFileSync(join(out, 'administrator', 'nats.nk'), 'utf8').trim();
    const connection = await connect({
      servers: `localhost:${port}`,
      tls: { caFile: join(folder, 'tls', 'ca.crt') },
      authenticator: nkeyAuthenticator(Buffer.from(seed)),
    });
    const manager = await jetstreamManager(connection);
    await manager.streams.add({ name: 'EVENTS', subjects: ['evt.>'] });
    expect(await manager.streams.delete('EVENTS')).toBe(true);
    await connection.close();
    await server.stop();
  });

  it('makes users of Redis, and an administrator who may empty it', async () => {
    const accesses = completeAccesses();
    const redis = await startRedis();
    const inspector = createClient({ url: redis.url });
    await inspector.connect();
    for (const line of redisUsersFile(accesses).trim().split('\n').slice(1))
      await inspector.sendCommand(['ACL', 'SETUSER', ...line.split(' ').slice(1)]);
    const as = async (user: string, command: string[]) => {
      const { REDIS_URL = '' } = redisSettings(
        accesses,
        `redis://127.0.0.1:${new URL(redis.url).port}`,
        user,
      );
      const client = createClient({
        url: REDIS_URL,
        disableClientInfo: true,
        maintNotifications: 'disabled',
      });
      client.on('error', () => undefined);
      await client.connect();
      return client.sendCommand(command).finally(() => client.destroy());
    };
    expect(await as('administrator', ['FLUSHALL'])).toBe('OK');
    await expect(as('gateway', ['FLUSHALL'])).rejects.toThrow('NOPERM');
    expect(await as('gateway', ['GET', 'cred:k:1'])).toBeNull();
    inspector.destroy();
    await redis.stop();
  });

  it('keeps keys and passwords in its file, and gives the shared keys to the services that have them in common', () => {
    const out = provision('--redis', 'rediss://redis.example.com:6380');
    const envOf = (service: string) =>
      Object.fromEntries(
        readFileSync(join(out, `${service}.env`), 'utf8')
          .trim()
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
      );
    expect(envOf('auth')['CREDENTIAL_RECORD_KEY']).toBe(envOf('gateway')['CREDENTIAL_RECORD_KEY']);
    expect(envOf('reporting')['POOL_SNAPSHOT_KEY']).toBe(envOf('gateway')['POOL_SNAPSHOT_KEY']);
    expect(envOf('sparks')).not.toHaveProperty('POOL_SNAPSHOT_KEY');
    expect(envOf('gateway')['REDIS_URL']).toMatch(/^rediss:\/\/gateway:.+@redis\.example\.com:6380$/);
    expect(envOf('sparks')).not.toHaveProperty('REDIS_URL');
  });
});
