import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from '@jest/globals';
import { ConnectionClosed, createOriginServer, readBody } from './index.js';

const options = { headersTimeout: 1_000, requestTimeout: 1_000, connectionsCheckingInterval: 20 };

it('OPEN-55: a body that misses the timeout of its request is given up, even if its client keeps the connection open', async () => {
  let settle: (outcome: unknown) => void;
  const outcome = new Promise((resolve) => (settle = resolve));
  const { server } = createOriginServer(
    (request, response) => void readBody(request, response, 1_000).then(settle, settle),
    { version: '9.9.9', origin: 'https://api.test' },
    options,
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  client.on('error', () => undefined); // the server resets the connection
  client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nhalf');
  const [answer] = (await once(client, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 /);
  expect(await outcome).toBeInstanceOf(ConnectionClosed);
  client.destroy();
  server.close();
});
