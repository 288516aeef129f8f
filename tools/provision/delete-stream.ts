// provision delete-stream: deletes the streams of events, as the administrator of NATS.
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, nkeyAuthenticator } from '@nats-io/transport-node';
import { isEventStream, stream } from './nats-users.ts';

const usage = `Usage: npm run provision -- delete-stream --nats URLS < administrator/nats.nk

Deletes the stream ${stream}, or those of each service: after a restore, because they may have events of a state that was lost, and for another
EVENT_STREAMS. Stop all services before. Those that start create them anew, and the outboxes publish again what a consumer lacks.

  --nats  tls://nats-0.example.com:4222,…  the servers of a cluster, or one. NODE_EXTRA_CA_CERTS names an authority of your own.

The standard input is the administrator's NKey, which npm run provision has made.
`;

const { values } = parseArgs({
  options: { nats: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
});
if (values.nats === undefined) {
  process.stderr.write(usage);
  process.exitCode = values.help ? 0 : 2;
} else await deleteStream(values.nats, (await text(process.stdin)).trim());

async function deleteStream(urls: string, seed: string) {
  const servers = urls.split(',').map((server) => server.trim());
  const connection = await connect({
    servers,
    authenticator: nkeyAuthenticator(Buffer.from(seed)),
    reconnect: false,
    // Without it the client ignores tls:// and speaks in clear with a server that offers no TLS.
    ...(servers.some((server) => server.startsWith('tls://')) && { tls: {} }),
  });
  try {
    const { streams } = await jetstreamManager(connection);
    const found: string[] = [];
    for await (const name of streams.names()) if (isEventStream(name)) found.push(name);
    for (const name of found) {
      await streams.delete(name);
      process.stdout.write(`The stream ${name} is deleted.\n`);
    }
    if (found.length === 0) process.stdout.write('There was no stream of events.\n');
  } finally {
    await connection.close();
  }
}
