import { describe, expect, it } from '@jest/globals';
import { loadConfig, ServiceConfig } from '@vaultsvc/config';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { connectNats } from './index.js';

const harness = useHarness();

describe('OPEN-51: a NATS_URL that begins with tls://', () => {
  it('never leads to a connection in clear: a server without TLS is refused', async () => {
    const environment = await harness.environment('gateway');
    const configOf = (url: string) => loadConfig(ServiceConfig, { ...environment, NATS_URL: url });
    const { url } = harness.nats;
    const encrypted = url.replace('nats://', 'tls://');
    await expect(connectNats(configOf(encrypted), 'gateway')).rejects.toThrow("does not support 'tls'");
    await expect(connectNats(configOf(`${encrypted}, ${url}`), 'gateway')).rejects.toThrow(
      "does not support 'tls'",
    );
    const connection = await connectNats(configOf(url), 'gateway');
    await connection.close();
  });
});
