import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { redisUrlOf, startRedis, type TestServer } from '@vaultsvc/testing/servers';
import { createClient } from '@redis/client';
import { redisAccess } from './redis-access.ts';

let redis: TestServer;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

/** The reply of each command, or its error, to the user of a service. */
async function tried(url: string, commands: readonly string[][]): Promise<string[]> {
  const client = createClient({ url, disableClientInfo: true, maintNotifications: 'disabled' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await Promise.all(
      commands.map((parts) =>
        client.sendCommand(parts).then(
          () => 'answered',
          ({ message }: Error) =>
            /^(NOPERM|ERR The user executing the script can't)/.test(message) ? 'refused' : message,
        ),
      ),
    );
  } finally {
    client.destroy();
  }
}

/** The reply to the first command of a new connection. */
async function firstReply(command: string): Promise<string> {
  const socket = connect({ port: Number(new URL(redis.url).port), host: '127.0.0.1' });
  socket.write(`${command}\r\n`);
  const [reply] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return reply.toString();
}

describe('OPEN-51: the users of Redis', () => {
  it('are the only ones who enter: the default user and a wrong password are refused', async () => {
    expect(await firstReply('PING')).toMatch('-NOAUTH');
    expect(await firstReply('AUTH default x')).toMatch('-WRONGPASS');
    expect(await firstReply('AUTH gateway guessed')).toMatch('-WRONGPASS');
  });

  it.each([
    [
      'gateway',
      [
        ['SET', 'cred:k:1', '{}'],
        ['DEL', 'cred:k:1'],
        ['SET', 'funds:acc_1', '{}'],
        ['HGETALL', 'used'],
      ],
    ],
    [
      'auth',
      [
        ['SET', 'funds:acc_1', '{}'],
        ['INCR', 'rl:acc_1:60'],
        ['SET', 'ip:10.0.0.1:60', '0'],
        ['DEL', 'used'],
      ],
    ],
    [
      'forge',
      [
        ['GET', 'cred:k:1'],
        ['INCR', 'rl:acc_1:60'],
        ['GET', 'funds:acc_1'],
        ['GET', 'ip:10.0.0.1:60'],
      ],
    ],
    [
      'integrations',
      [
        ['GET', 'cred:k:1'],
        ['GET', 'rl:acc_1:60'],
        ['INCR', 'ip:10.0.0.1:60'],
        ['GET', 'funds:acc_1'],
      ],
    ],
    [
      'reporting',
      [
        ['GET', 'cred:k:1'],
        ['SET', 'cred:k:1', '{}'],
        ['HGETALL', 'used'],
        ['INCR', 'rl:acc_1:60'],
      ],
    ],
  ])('%s is refused the keys and commands of others, also in scripts', async (service, foreign) => {
    const inScript = foreign.map((parts) => [
      'EVAL',
      `return redis.call(${parts.map((part) => `'${part}'`).join(', ')})`,
      '0',
    ]);
    const answers = await tried(redisUrlOf(service, redis.url), [...foreign, ...inScript]);
    expect(answers).toEqual(Array(2 * foreign.length).fill('refused'));
  });

  it.each(Object.keys(redisAccess))('%s cannot list, empty, configure or listen', async (service) => {
    const commands = [
      ['KEYS', '*'],
      ['SCAN', '0'],
      ['FLUSHALL'],
      ['CONFIG', 'GET', '*'],
      ['ACL', 'LIST'],
      ['MONITOR'],
    ];
    const answers = await tried(redisUrlOf(service, redis.url), [...commands, ['SUBSCRIBE', 'x'], ['PING']]);
    expect(answers).toEqual([...Array(commands.length + 1).fill('refused'), 'answered']);
  });

  it('have no password in the arguments of the server, which every user of the machine may read', () => {
    const { password } = new URL(redis.url);
    expect(password).not.toBe('');
    const args = execFileSync('ps', ['-o', 'args=', '-p', String(redis.pid)], { encoding: 'utf8' });
    expect(args).toContain('redis-server');
    expect(args).not.toContain(password);
  });
});
