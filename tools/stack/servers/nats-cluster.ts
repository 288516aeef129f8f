import { setTimeout as delay } from 'node:timers/promises';

const pollMs = 100;

/**
 * Resolves once the servers of a cluster keep streams of three replicas: they have chosen a leader, and know each other.
 * @param url of one of them, with a user who may do everything
 */
export async function untilStreamsAreKept(url: string, { seconds = 60 } = {}): Promise<void> {
  // Dynamic imports, because this file is loaded before node modules are installed.
  const { connect } = await import('@nats-io/transport-node');
  const { jetstreamManager } = await import('@nats-io/jetstream');
  const { host, username, password } = new URL(url);
  const connection = await connect({
    servers: host,
    user: decodeURIComponent(username),
    pass: decodeURIComponent(password),
  });
  const until = Date.now() + seconds * 1_000;
  try {
    for (;;) {
      try {
        const manager = await jetstreamManager(connection);
        await manager.streams.add({ name: 'PROBE', subjects: ['probe'], num_replicas: 3 });
        await manager.streams.delete('PROBE');
        return;
      } catch (error) {
        if (Date.now() > until) throw error;
        await delay(pollMs);
      }
    }
  } finally {
    await connection.close();
  }
}
