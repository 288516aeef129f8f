import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { isIdempotent, type PublicOperation } from '@vaultsvc/contracts';
import { operations } from '@vaultsvc/contracts/catalog';
import { sendNotification } from '@vaultsvc/contracts/notify';
import { createSpark } from '@vaultsvc/contracts/sparks';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { operationCases } from './operation-cases.js';
import { newSend } from './notify-samples.js';
import { sampleOf, vaultAccessOf } from './samples.js';
import { newTenant, type Tenant } from './tenant.js';

const platform = usePlatform();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant(platform);
});

const creating = operations.filter(isIdempotent);
const withKey = (key: string, input: object) => ({ ...vaultAccessOf(input).headers, 'Idempotency-Key': key });

/** The parts of a response that a repetition has again; `meta` belongs to each request. */
const call = async (op: PublicOperation, input: object, key: string) => {
  const { status, data, error, headers } = await tenant.owner.call(op, input as never, withKey(key, input));
  return { status, data, error, headers };
};

describe('OPEN-67: over HTTP, a repeated request with its Idempotency-Key creates nothing', () => {
  it('applies to every operation of accounts that answers 201', () => {
    const created = operations.filter(
      ({ http, access }) => http.status === 201 && access.provider === undefined,
    );
    const without = created.filter((op) => !isIdempotent(op)).map(({ name }) => name);
    // Off by default, and without an effect.
    expect(without).toEqual(['vaults.upload-through-source']);
  });

  it.each(operationCases(creating))('$operation', async ({ op }) => {
    const input = await sampleOf(op)(tenant);
    const key = randomUUID();
    const first = await call(op, input, key);
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([op.http.status, undefined]);
    const again = await call(op, input, key);
    if (again.status === op.http.status) {
      expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true' });
      expect(again.data).toEqual(first.data);
      return;
    }
    const { id, secrets = [] } = op.idempotent as { id?: string; secrets?: string[] };
    expect([again.status, again.error?.code]).toEqual([409, 'CONFLICT']);
    expect(secrets.some((name) => name in ((first.data ?? {}) as object))).toBe(true);
    if (id)
      expect(again.error?.details).toMatchObject({
        [id]: (first.data as unknown as Record<string, unknown>)[id],
      });
  });

  it('NTF-21: a notification is found by its key, unless the body has a send_id', async () => {
    const key = randomUUID();
    const { send_id: _, ...body } = { send_id: undefined, ...newSend() };
    const headers = { 'Idempotency-Key': key };
    const first = await tenant.owner.call(sendNotification, { body: body as never }, headers);
    const again = await tenant.owner.call(sendNotification, { body: body as never }, headers);
    expect([first.data?.idempotent, again.data?.idempotent]).toEqual([false, true]);
    expect(again.data?.send_id).toBe(first.data?.send_id);
    const send_id = `own-${randomUUID()}`;
    const named = await tenant.owner.call(sendNotification, { body: { ...body, send_id } as never }, headers);
    expect(named.data).toMatchObject({ send_id, idempotent: false });
  });

  it.each([
    ['empty', ''],
    ['too long', 'x'.repeat(256)],
    ['with a blank', 'a b'],
    ['not ASCII', 'schlüssel'],
  ])('ENV-20: a key that is %s is refused, and names the header', async (_, key) => {
    const answer = await tenant.owner.send({
      method: 'POST',
      target: createSpark.http.path,
      headers: { 'Idempotency-Key': Buffer.from(key).toString('latin1') },
      body: { payload: 'x' },
    });
    expect([answer.status, answer.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(JSON.stringify(answer.error?.details)).toContain('Idempotency-Key');
  });
});
