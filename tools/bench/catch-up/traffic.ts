// Calls that cause events, and the count of these events.
import type { StackDescription } from '../../stack/descriptor.ts';
import { newAccountToken } from '../new-account.ts';
import { httpClient, type HttpClient } from '../load.ts';

const CONNECTIONS = 128;
const KIB = 1_024;

/** A client of several accounts. */
export interface Traffic {
  /** Creates a Spark and burns it. */
  call: () => Promise<void>;
  /** The events that its calls have caused so far. */
  events: () => number;
  close: () => void;
}

export async function openTraffic(stack: StackDescription, accounts: number): Promise<Traffic> {
  const client = httpClient(stack.api_url, CONNECTIONS);
  const tokens = await Promise.all(Array.from({ length: accounts }, () => newAccountToken(stack)));
  const body = JSON.stringify({ payload: 'x'.repeat(KIB) });
  let calls = 0;
  let events = 0;
  const send = async (expected: number, ...request: Parameters<HttpClient['send']>) => {
    const { status, text } = await client.send(...request);
    if (status !== expected) throw new Error(`expected ${expected}, got ${status}: ${text.slice(0, 200)}`);
    events++;
    return JSON.parse(text).data;
  };
  const call = async () => {
    const authorization = `Bearer ${tokens[calls++ % accounts]}`;
    const post = { authorization, 'content-type': 'application/json' };
    const { spark_id } = await send(201, 'POST', '/v1/sparks', post, body);
    await send(200, 'GET', `/v1/sparks/${spark_id}`, { authorization });
  };
  return { call, events: () => events, close: () => client.close() };
}
