import { beforeAll, describe, expect, it } from '@jest/globals';
import { integer, loadConfig, Setting } from '@vaultsvc/config';
import { decode, errorStatus, type PublicOperation } from '@vaultsvc/contracts';
import { operations } from '@vaultsvc/contracts/catalog';
import { readSend, registerPushToken, sendNotification } from '@vaultsvc/contracts/notify';
import { createSpark } from '@vaultsvc/contracts/sparks';
import { createStructured, createVault, unsealVault } from '@vaultsvc/contracts/vaults';
import { api, succeeded, type Api } from '@vaultsvc/testing/http';
import fc from 'fast-check';
import { newSpark } from '../access/link-samples.js';
import { newPushToken, newSend } from '../access/notify-samples.js';
import { newVault } from '../access/vault-samples.js';
import { stack } from '../stack.js';
import { callsOf, type FuzzCall, type Known } from './arbitraries.js';
import { DocumentConformance } from './document-conformance.js';
import { send, type RawAnswer } from './send.js';

class FuzzConfig {
  @Setting(integer({ min: 1, max: 10_000_000 }), 'Calls over all operations together.')
  FUZZ_CALLS = 500;

  @Setting(integer(), 'Seed of the calls, to repeat a failing run.')
  FUZZ_SEED = 1;
}
const { FUZZ_CALLS, FUZZ_SEED } = loadConfig(FuzzConfig);
const callsPerOperation = Math.ceil(FUZZ_CALLS / operations.length);

describe('ENV-03 ENV-04 ENV-05 ENV-20 ENV-29 ENV-30 OPEN-55: for arbitrary input', () => {
  const { api_url, link_url, account } = stack();
  let conformance: DocumentConformance;
  beforeAll(async () => {
    conformance = await DocumentConformance.from(api_url);
  });
  for (const op of operations) {
    it(`${op.http.method} ${op.http.path} answers as its contract and the OpenAPI document declare, never with a 5xx (seed ${FUZZ_SEED})`, async () => {
      const known = await seed(api(api_url, { key: account.api_key }));
      const property = fc.asyncProperty(callsOf(op, known), async (call) => {
        const origin = op.http.surface === 'links' ? link_url : api_url;
        const answer = await send(origin, call, account.api_key);
        verify(call, answer);
        if (call.method === op.http.method) conformance.assert(op, answer);
      });
      await fc.assert(property, { numRuns: callsPerOperation, seed: FUZZ_SEED, endOnFailure: true });
    }, 600_000);
  }
});

/** Creates a Spark, a vault, a structured ingot and a send for each operation, because some operations delete them. */
async function seed(client: Api): Promise<Known> {
  const { spark_id } = succeeded(await client.call(createSpark, { body: newSpark() }));
  const { vault_id, vmk } = succeeded(await client.call(createVault, { body: newVault() }));
  const params = { vault_id };
  const { vat } = succeeded(await client.call(unsealVault, { params, body: { vmk, ttl_seconds: 3_600 } }));
  const body = { name: 'fuzz', data: { a: 'a', b: { c: 1 } } };
  const opened = { 'X-Vault-Access-Token': vat };
  const { ingot_id } = succeeded(await client.call(createStructured, { params, body }, opened));
  return { ids: { spark_id, vault_id, ingot_id, ...(await seedNotify(client)) }, vat };
}

/** A send with a link that opens, and a device. */
async function seedNotify(client: Api): Promise<Known['ids']> {
  const { send_id } = succeeded(await client.call(sendNotification, { body: newSend() as never }));
  const { recipient_states } = succeeded(await client.call(readSend, { params: { send_id } }));
  const [recipient] = recipient_states;
  const link_code = String(recipient?.link_url?.split('/').at(-1));
  const delivery_id = String(recipient?.deliveries[0]?.delivery_id);
  const { push_token_id } = succeeded(await client.call(registerPushToken, { body: newPushToken() }));
  return { send_id, link_code, delivery_id, push_token_id };
}

function verify(call: FuzzCall, answer: RawAnswer): void {
  expect(answer.status).toBeLessThan(500);
  expect(answer.headers['x-request-id']).toMatch(/^\w+$/);
  expect(answer.headers['etag']).toBeUndefined();
  if (call.method === 'HEAD' || answer.status === 204 || call.op.bare) return;
  // A stream of lines has no envelope; the refusal of one has.
  if (call.op.parts && answer.status < 400) return;
  const body = JSON.parse(answer.text) as Envelope;
  if (answer.status < 400) verifySuccess(call.op, call, body);
  else verifyError(answer.status, body);
}

interface Envelope {
  readonly data?: object;
  readonly error?: {
    readonly code: keyof typeof errorStatus;
    readonly message: string;
    readonly details?: object;
  };
  readonly meta: Record<string, unknown>;
}

function verifySuccess(op: PublicOperation, call: FuzzCall, body: Envelope): void {
  expect(Object.keys(body).sort()).toEqual(['data', 'meta']);
  if (op.reply && call.method === op.http.method) decode(op.reply, body.data);
  if (call.browser['x-vk-client'] === 'web') expect(body.data).not.toHaveProperty('refresh_token');
}

function verifyError(status: number, body: Envelope): void {
  expect(Object.keys(body).sort()).toEqual(['error', 'meta']);
  expect(Object.keys(body.meta).sort()).toEqual(['api_version', 'request_id']);
  expect(errorStatus[body.error?.code ?? 'INTERNAL_ERROR']).toBe(status);
  expect(
    Object.keys(body.error ?? {}).filter((key) => !['code', 'message', 'details'].includes(key)),
  ).toEqual([]);
}
