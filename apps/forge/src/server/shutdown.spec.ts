import { describe, expect, it } from '@jest/globals';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { until } from '@vaultsvc/testing/waiting';
import { ForgeConfig } from '../config.js';
import { forge } from '../service-definition.js';
import { receiving } from '../testing/streamed-chunk.js';
import { mintTransfer } from '../testing/transfers.js';
import { forgeUrl, newUpload, tus } from '../testing/uploads.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });

const accepts = (url: string) =>
  fetch(`${url}/health`).then(
    () => true,
    () => false,
  );

describe('an instance that shuts down', () => {
  it('finishes the chunk that it receives, and closes the connection with its response', async () => {
    const copy = await harness.start(forge);
    const url = forgeUrl(copy);
    const location = await newUpload(url, (await mintTransfer(harness, { sizeBytes: 9 })).istk, 9);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const outgoing = request(url + location, {
      method: 'PATCH',
      agent,
      headers: {
        ...{ 'Tus-Resumable': '1.0.0', 'Upload-Offset': '0' },
        ...{ 'Content-Type': 'application/offset+octet-stream', 'Content-Length': '9' },
      },
    });
    outgoing.write('half');
    await until(async () => (await receiving()) === 1);
    const stopped = copy.stop();
    await until(async () => !(await accepts(url)));
    outgoing.end('-more');
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    await text(response);
    expect({ status: response.statusCode, connection: response.headers.connection }).toEqual({
      status: 204,
      connection: 'close',
    });
    await stopped;
    agent.destroy();

    const other = await harness.start(forge);
    expect((await tus(forgeUrl(other), 'HEAD', location)).headers['upload-offset']).toBe('9');
  });

  it('waits two minutes for transfers by default, longer than other services', () => {
    expect(new ForgeConfig().SHUTDOWN_GRACE_MS).toBe(120_000);
  });
});
