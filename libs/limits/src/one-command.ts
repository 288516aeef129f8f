import { createClient } from '@redis/client';

const ANSWER_MS = 1_000;

/**
 * The reply to one command, on a connection of its own that is closed afterwards. Waits for a second at most.
 * @throws the error of the connection or of the command
 */
export async function askOnce<Reply>(url: string, command: string[]): Promise<Reply> {
  const client = createClient({
    url,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    socket: { connectTimeout: ANSWER_MS, socketTimeout: ANSWER_MS, reconnectStrategy: false },
  });
  client.on('error', () => undefined); // connect and the command fail with it
  try {
    await client.connect();
    return await client.sendCommand<Reply>(command);
  } finally {
    if (client.isOpen) client.destroy();
  }
}
