// provision delete-stream: deletes the stream of events after a restore, as the administrator of NATS.
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { JetStreamApiCodes, JetStreamApiError, jetstreamManager } from '@nats-io/jetstream';
import { connect, nkeyAuthenticator } from '@nats-io/transport-node';
import { stream } from './nats-users.ts';

const usage = `Usage: npm run provision -- delete-stream --nats URLS < administrator/nats.nk

Deletes the stream ${stream}, in which there may be events of a state that was lost. Stop all services before. The first one that starts creates it
anew, and the outboxes publish again what a consumer lacks.

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
    await streams.delete(stream);
    process.stdout.write(`The stream ${stream} is deleted.\n`);
  } catch (error) {
    if (!isMissing(error)) throw error;
    process.stdout.write(`There was no stream ${stream}.\n`);
  } finally {
    await connection.close();
  }
}

/** A repetition succeeds, too. */
function isMissing(error: unknown) {
  return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
}
