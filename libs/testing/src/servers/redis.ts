import { createClient } from '@redis/client';
import { sharedServers } from './shared.js';

/** A connection to Redis as its inspector, a user who may do what no service may. */
export interface RedisInspector {
  /** The reply of a command. */
  command(...parts: string[]): Promise<unknown>;
  close(): void;
}

/** @param url of the inspector; by default the Redis database of this spec file */
export async function inspectRedis(url = sharedServers().redisUrl): Promise<RedisInspector> {
  const client = createClient({ url });
  client.on('error', () => undefined); // a spec may kill the server
  await client.connect();
  return {
    command: (...parts) => client.sendCommand(parts),
    close: () => client.destroy(),
  };
}
