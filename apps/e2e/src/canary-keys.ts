import { randomBytes } from 'node:crypto';
import { expect } from '@jest/globals';
import { entropyFormats, generateEntropy, readSpark } from '@vaultsvc/contracts/sparks';
import {
  createStructured,
  deleteStructured,
  readStructured,
  updateStructured,
} from '@vaultsvc/contracts/vaults';
import { succeeded, type Api } from '@vaultsvc/testing/http';

const secret = (kind: string) => `${kind}-${randomBytes(16).toString('hex')}`;

/**
 * Stores, changes, reads and deletes keys and values of a vault, with valid and invalid requests. Returns all names and
 * values that were sent, none of which may be found in any store afterwards.
 */
export async function exerciseStructured(
  client: Api,
  vault_id: string,
  headers: Record<string, string>,
): Promise<Buffer[]> {
  const [names, values] = [entries('key'), entries('value')];
  const long = `${secret('long')}${'l'.repeat(300_000)}`;
  const data = Object.fromEntries(names.map((name, i) => [name, valueOf(values, i, long)]));
  const make = { params: { vault_id }, body: { name: 'canary', data } };
  const { ingot_id } = succeeded(await client.call(createStructured, make, headers));
  const params = { vault_id, ingot_id };
  const read = (keys: readonly string[], ttl?: number) =>
    client.call(readStructured, { params, query: { keys: keys.join(','), ttl } }, headers);

  const retrieved = succeeded(await read(names.slice(1)));
  const [first] = Object.values(retrieved.values ?? {});
  const spark_id = first?.spark_id as string;
  succeeded(await client.call(readSpark, { params: { spark_id } })); // the others remain unread

  succeeded(await client.call(readStructured, { params, query: {} }, headers));
  // One of the values is too long for a Spark; a TTL of one second is too short.
  expect([(await read(names)).status, (await read(names, 1)).status]).toEqual([400, 400]);
  const change = { params, body: { set: { [names[1] as string]: values[0] }, delete: [names[2] as string] } };
  const changes = await Promise.all([1, 2, 3].map(() => client.call(updateStructured, change, headers)));
  expect(changes.map(({ status }) => status)).toContain(200);
  await sendInvalidRequests(client, vault_id, ingot_id, [names, values], headers);
  succeeded(await client.call(createStructured, make, headers));
  succeeded(await client.call(createStructured, { ...make, body: { ...make.body, name: 'gone' } }, headers));
  await client.call(deleteStructured, { params: { vault_id, ingot_id: ':gone' } }, headers);
  return [...names, ...values, long.slice(0, 37)].map((text) => Buffer.from(text));
}

const entries = (kind: string) => Array.from({ length: 4 }, () => secret(kind));

/** The first value is too long for a Spark, the last is not a text. */
function valueOf(values: readonly string[], i: number, long: string): unknown {
  if (i === 0) return long;
  return i === 3 ? { deep: [values[i]] } : values[i];
}

/** Sends names and values in requests that the gateway or the service refuses. */
async function sendInvalidRequests(
  client: Api,
  vault_id: string,
  ingot_id: string,
  [names, values]: readonly [string[], string[]],
  headers: Record<string, string>,
): Promise<void> {
  const base = `/v1/products/structured-ingots/${vault_id}`;
  const [name = '', value = ''] = [names[1], values[1]];
  const keys = `keys=${name},${names[2]}`;
  for (const target of [
    `${base}/${ingot_id}?${keys},`,
    `${base}/ing_x?${keys}`,
    `${base}x?${keys}`,
    `/v1/x?${keys}`,
  ])
    await client.send({ method: 'GET', target, headers });
  await client.send({ method: 'GET', target: `${base}/${ingot_id}?${keys}` });
  const bodies = [
    { set: { [`${name},${name}`]: value } },
    { set: { [name]: value }, delete: [name] },
    { set: { [name]: `${value}\ud800` } },
    { set: { [name]: value.repeat(29_000) } },
    `{"set":{"${name}":"${value}"`,
  ];
  const statuses = [];
  for (const body of bodies) {
    const { status } = await client.send({ method: 'PATCH', target: `${base}/${ingot_id}`, headers, body });
    statuses.push(status);
  }
  expect(statuses).toEqual([400, 400, 400, 413, 400]);
}

/** Requests random data in every format. Returns the data and the openings of its commitments, which only the caller may have. */
export async function exerciseEntropy(client: Api): Promise<Buffer[]> {
  const drawn: Buffer[] = [];
  for (const format of entropyFormats) {
    const body = { format, num_bytes: 32, with_commitment: true };
    const { value, opening } = succeeded(await client.call(generateEntropy, { body }));
    drawn.push(typeof value === 'string' ? Buffer.from(value) : Buffer.from(value));
    if (format === 'hex' || format === 'base64') drawn.push(Buffer.from(value as string, format));
    drawn.push(Buffer.from(opening as string, 'hex'));
  }
  await client.send({
    method: 'POST',
    target: '/v1/entropy/generate',
    body: { num_bytes: 513, format: 'password' },
  });
  return drawn;
}
