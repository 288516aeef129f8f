import { Resolver } from 'node:dns/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DnsServer } from './server.js';

let server: DnsServer;
let resolver: Resolver;

beforeAll(async () => {
  server = await DnsServer.start();
  resolver = resolverOf(server);
});
beforeEach(() => server.reset());
afterAll(() => server.stop());

function resolverOf({ address }: DnsServer, timeoutMs = 5_000): Resolver {
  const made = new Resolver({ timeout: timeoutMs, tries: 1 });
  made.setServers([address]);
  return made;
}

const failsWith = (code: string) => expect.objectContaining({ code });

describe('DnsServer, queried by the resolver of Node', () => {
  it('returns TXT records of one string and of several, for a name in any case', async () => {
    server.setTxt('Txt.Example.test', 'one', ['two ', 'strings']);
    expect(await resolver.resolveTxt('tXT.example.TEST')).toEqual([['one'], ['two ', 'strings']]);
    expect(server.questions).toEqual([
      { over: 'udp', type: 'TXT', name: expect.stringMatching(/^txt\.example\.test$/i) },
    ]);
  });

  it('follows aliases to their records', async () => {
    server.setAlias('a.example.test', 'b.example.test');
    server.setAlias('b.example.test', 'c.example.test');
    server.setTxt('c.example.test', 'there');
    expect(await resolver.resolveTxt('a.example.test')).toEqual([['there']]);
  });

  it('distinguishes a name without records from an unknown name', async () => {
    server.setTxt('empty.example.test');
    await expect(resolver.resolveTxt('empty.example.test')).rejects.toEqual(failsWith('ENODATA'));
    await expect(resolver.resolveTxt('none.example.test')).rejects.toEqual(failsWith('ENOTFOUND'));
  });

  it('truncates responses over UDP, and returns more than a datagram holds over TCP', async () => {
    server.mode = 'truncate';
    const records = Array.from({ length: 40 }, (_, i) => `${i}`.padEnd(200, '.'));
    server.setTxt('large.example.test', ...records);
    expect(await resolver.resolveTxt('large.example.test')).toEqual(records.map((record) => [record]));
    expect(server.questions.map(({ over }) => over)).toEqual(['udp', 'tcp']);
  });

  it.each([
    ['servfail', 'ESERVFAIL'],
    ['refuse', 'EREFUSED'],
  ] as const)('fails queries in mode %s with %s', async (mode, code) => {
    server.mode = mode;
    await expect(resolver.resolveTxt('a.example.test')).rejects.toEqual(failsWith(code));
  });

  it('lets queries in mode silence time out with ETIMEOUT', async () => {
    server.mode = 'silence';
    await expect(resolverOf(server, 50).resolveTxt('a.example.test')).rejects.toEqual(failsWith('ETIMEOUT'));
  });

  it('closes its sockets and open connections when it stops', async () => {
    const other = await DnsServer.start();
    const asking = resolverOf(other);
    other.mode = 'truncate';
    other.setTxt('a.example.test', 'there');
    await asking.resolveTxt('a.example.test');
    await other.stop();
    await expect(asking.resolveTxt('a.example.test')).rejects.toEqual(failsWith('ECONNREFUSED'));
  });
});
