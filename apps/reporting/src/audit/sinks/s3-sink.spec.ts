import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@vaultsvc/config';
import { newId } from '@vaultsvc/crypto/encoding';
import { S3Objects } from '@vaultsvc/objects';
import { startS3 } from '@vaultsvc/objects/testing';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { eventually } from '@vaultsvc/testing/waiting';
import { reporting } from '../../service-definition.js';
import { appendRecords, auditRecord } from '../../testing/audit-records.js';
import { RegisterSinks } from './register-sinks.job.js';
import { S3Sink } from './s3-sink.js';
import type { S3SinkSettings } from '../../settings/sink-settings.js';
import type { SinkBatch } from './sink.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
let s3: Awaited<ReturnType<typeof startS3>>;
let objects: S3Objects;
const cleanups: (() => void)[] = [];
const credentials = { accessKeyId: 'S3RVER', secretAccessKey: new Secret('S3RVER') };
beforeAll(async () => {
  s3 = await startS3();
  const { bucket, region, endpoint } = s3;
  objects = new S3Objects({ bucket, region, endpoint, pathStyle: true, credentials });
});
afterEach(() => cleanups.splice(0).forEach((cleanup) => cleanup()));
afterAll(async () => {
  objects.close();
  await s3.stop();
});

const settingsOf = (prefix: string, endpoint = s3.endpoint): S3SinkSettings => ({
  ...{ name: 'archive', kind: 's3', from: 'now', timeoutMs: 10_000 },
  ...{
    bucket: s3.bucket,
    region: s3.region,
    prefix,
    endpoint,
    pathStyle: true,
    checksums: 'WHEN_REQUIRED',
    credentials,
  },
});

const batch = (lines = '{"seq":1}\n'): SinkBatch => ({
  id: '0000000000000042-00000000000000aa',
  lines: Buffer.from(lines),
  entries: 1,
  at: new Date('2026-07-31T14:59:59.999Z'),
});

const keysIn = async (prefix: string) =>
  (await objects.list({ prefix: `${prefix}/` })).objects.map(({ key }) => key);
const contentOf = async (key: string) => text(await objects.read(key));

describe('AUD-16: a sink in S3', () => {
  it('receives every entry of an instance that is configured with it', async () => {
    const { bucket, region, endpoint } = s3;
    const sink = {
      ...{ name: 'archive', kind: 's3', bucket, region, endpoint, prefix: 'entries', path_style: true },
      ...{ access_key_id: 'S3RVER', secret_access_key: 'S3RVER' },
    };
    const service = await harness.start(reporting, { AUDIT_SINKS: JSON.stringify([sink]) });
    await service.context.get(RegisterSinks).run();
    const account = newId('acc_');
    for (let n = 0; n < 3; n += 1) await appendRecords(service, auditRecord(account), auditRecord(account));
    const lines = await eventually(
      async () => {
        const contents = await Promise.all((await keysIn('entries')).map(contentOf));
        return contents.join('').trimEnd().split('\n').filter(Boolean);
      },
      ({ length }) => length === 6,
    );
    const entries = lines.map((line) => JSON.parse(line) as object);
    expect(entries).toEqual(
      [1, 2, 3, 4, 5, 6].map((seq) => expect.objectContaining({ kind: 'entry', account, seq })),
    );
  });

  it('stores a batch under its hour and id, and a repetition under the same key', async () => {
    const sink = new S3Sink(settingsOf('repeated'));
    const { signal } = new AbortController();
    await sink.send(batch(), signal);
    await sink.send(batch(), signal);
    sink.close();
    const key = 'repeated/2026/07/31/14/0000000000000042-00000000000000aa.jsonl';
    expect(await keysIn('repeated')).toEqual([key]);
    expect(await contentOf(key)).toBe('{"seq":1}\n');
  });

  it('fails with the code of the store, and works again afterwards', async () => {
    const sink = new S3Sink(settingsOf('missing'));
    const missing = new S3Sink({ ...settingsOf('missing'), bucket: 'no-such-bucket' });
    const { signal } = new AbortController();
    await expect(missing.send(batch(), signal)).rejects.toMatchObject({ reason: 'NoSuchBucket' });
    await sink.send(batch(), signal);
    for (const made of [sink, missing]) made.close();
    expect(await keysIn('missing')).toHaveLength(1);
  });

  it('ends an attempt at once when it is aborted while the store hangs, and works again afterwards', async () => {
    const arrived: unknown[] = [];
    const server = createServer((request) => void text(request).then((body) => arrived.push(body)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanups.push(
      () => server.closeAllConnections(),
      () => server.close(),
    );
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const sink = new S3Sink({ ...settingsOf('hanging', endpoint), timeoutMs: 60_000 });
    for (const attempts of [1, 2]) {
      const abort = new AbortController();
      const sent = sink.send(batch(), abort.signal);
      const failure = expect(sent).rejects.toMatchObject({ reason: 'TIMEOUT' });
      await eventually(
        () => arrived.length,
        (count) => count === attempts,
      );
      abort.abort();
      await failure; // the test would time out before the store does
    }
    sink.close();
  });
});
