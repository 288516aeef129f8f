// Creates Sparks, then reads and thereby burns each of them.
import { httpClient, load } from './load.mjs';

/**
 * @param {string} origin of the gateway or the bare pipeline
 * @param {string} apiKey
 * @param {{ count: number, concurrency: number, bytes: number }} options
 */
export async function createAndBurn(origin, apiKey, { count, concurrency, bytes }) {
  const client = httpClient(origin, concurrency);
  const body = JSON.stringify({ payload: 'x'.repeat(bytes) });
  const post = {
    'x-api-key': apiKey,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  const get = { 'x-api-key': apiKey };
  try {
    const create = await load({
      count,
      concurrency,
      task: async () => sparkId(expectStatus(201, await client.send('POST', '/v1/sparks', post, body))),
    });
    const ids = create.results.filter((id) => typeof id === 'string');
    const burn = await load({
      count: ids.length,
      concurrency,
      task: async (i) => void expectStatus(200, await client.send('GET', `/v1/sparks/${ids[i]}`, get)),
    });
    return { create, burn };
  } finally {
    client.close();
  }
}

function expectStatus(status, answer) {
  if (answer.status === status) return answer.text;
  throw new Error(`expected ${status}, got ${answer.status}: ${answer.text.slice(0, 200)}`);
}

function sparkId(text) {
  return /"spark_id":"(spk_\w+)"/.exec(text)[1];
}
