// Creates Sparks, then reads and thereby burns each of them.
import { httpClient, load, type Answer, type Measured } from './load.ts';

/** Its results are the ids of Sparks, or errors. */
export type CreatedSparks = Measured<string>;

/** A client of the gateway or the bare pipeline, with one connection per caller. */
export function sparksClient(origin: string, apiKey: string, concurrency: number) {
  const client = httpClient(origin, concurrency);
  const get = { 'x-api-key': apiKey };
  return {
    /** Opens the connections, so that the load after it does not measure that. The answer's status is irrelevant. */
    connect: () =>
      Promise.all(
        Array.from({ length: concurrency }, () => client.send('GET', '/v1/health', { 'x-api-key': 'none' })),
      ),
    /** Creates Sparks; `results` are their ids, or errors. */
    create: ({ count, bytes }: { count: number; bytes: number }) => {
      const body = JSON.stringify({ payload: 'x'.repeat(bytes) });
      const post = {
        ...get,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      };
      return load({
        count,
        concurrency,
        task: async () => sparkId(expectStatus(201, await client.send('POST', '/v1/sparks', post, body))),
      });
    },
    /** Burns the Sparks of a load of `create`. */
    burn: ({ results }: Pick<CreatedSparks, 'results'>) => {
      const ids = results.filter((id) => typeof id === 'string');
      return load({
        count: ids.length,
        concurrency,
        task: async (i) => void expectStatus(200, await client.send('GET', `/v1/sparks/${ids[i]}`, get)),
      });
    },
    close: () => client.close(),
  };
}

/** @param origin of the gateway or the bare pipeline */
export async function createAndBurn(
  origin: string,
  apiKey: string,
  { count, concurrency, bytes }: { count: number; concurrency: number; bytes: number },
) {
  const client = sparksClient(origin, apiKey, concurrency);
  try {
    const create = await client.create({ count, bytes });
    return { create, burn: await client.burn(create) };
  } finally {
    client.close();
  }
}

function expectStatus(status: number, answer: Answer) {
  if (answer.status === status) return answer.text;
  throw new Error(`expected ${status}, got ${answer.status}: ${answer.text.slice(0, 200)}`);
}

function sparkId(text: string): string {
  const [, id] = /"spark_id":"(spk_\w+)"/.exec(text) ?? [];
  if (!id) throw new Error(`an answer has no id: ${text.slice(0, 200)}`);
  return id;
}
