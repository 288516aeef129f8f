import { afterEach, describe, expect, it } from '@jest/globals';
import { Secret } from '@vaultsvc/config';
import { accept, SinkServer } from '../../testing/sink-server.js';
import { HttpSink } from './http-sink.js';
import { retryDelay } from './sink-worker.js';
import type { SinkBatch } from './sink.js';

const servers: SinkServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

const batch: SinkBatch = { id: '0-0', lines: Buffer.from('{}\n'), entries: 1, at: new Date(0) };

function sinkAt(url: string, allowsPrivate: boolean): HttpSink {
  const common = { name: 'siem', kind: 'http', from: 'now', timeoutMs: 5_000 } as const;
  return new HttpSink({ ...common, url: new Secret(new URL(url)), authorization: undefined, allowsPrivate });
}

const send = (url: string, allowsPrivate = false) =>
  sinkAt(url, allowsPrivate).send(batch, new AbortController().signal);

describe('AUD-16: an HttpSink', () => {
  it('connects to a private address only if the setting allows it', async () => {
    const server = await SinkServer.start(accept);
    servers.push(server);
    const { port } = new URL(server.url);
    const hosts = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0x7f.1', '2130706433'];
    for (const host of hosts)
      await expect(send(`http://${host}:${port}/`)).rejects.toMatchObject({ reason: 'PRIVATE_ADDRESS' });
    expect(server.received).toEqual([]);
    await send(`http://localhost:${port}/`, true);
    expect(server.received).toHaveLength(1);
  });

  it('reports an unknown name and a closed port by their codes', async () => {
    await expect(send('http://sink.invalid/')).rejects.toMatchObject({
      reason: expect.stringMatching(/^E[A-Z_]+$/),
    });
    await expect(send('http://127.0.0.1:1/', true)).rejects.toMatchObject({ reason: 'ECONNREFUSED' });
  });
});

describe('AUD-16: the time of a retry', () => {
  it('doubles to five minutes, less a random half, and is an hour at most if the sink asks for more', () => {
    for (const [failures, ms] of [
      [0, 1_000],
      [3, 8_000],
      [50, 300_000],
    ] as const) {
      const delay = retryDelay(failures);
      expect(delay).toBeGreaterThanOrEqual(ms / 2);
      expect(delay).toBeLessThanOrEqual(ms);
    }
    expect(retryDelay(0, 60_000)).toBe(60_000);
    expect(retryDelay(0, 1e12)).toBe(3_600_000);
  });
});
