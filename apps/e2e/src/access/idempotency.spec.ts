import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { PublicOperation } from '@vaultsvc/contracts';
import { operations } from '@vaultsvc/contracts/catalog';
import { sendNotification } from '@vaultsvc/contracts/notify';
import {
  adjustSubscription,
  changeSeats,
  chargeInvoice,
  listInvoices,
  readSubscription,
} from '@vaultsvc/contracts/reporting';
import { createSpark } from '@vaultsvc/contracts/sparks';
import { succeeded } from '@vaultsvc/testing/http';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { newSend } from './notify-samples.js';
import { sampleOf, vaultAccessOf } from './samples.js';
import { newTenant, type Tenant } from './tenant.js';

const platform = usePlatform();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant(platform);
});

const withKey = (key: string, input: object) => ({ ...vaultAccessOf(input).headers, 'Idempotency-Key': key });

/** The parts of a response that a repetition has again; `meta` belongs to each request. */
const call = async (op: PublicOperation, input: object, key: string) => {
  const { status, data, error, headers } = await tenant.owner.call(op, input as never, withKey(key, input));
  return { status, data, error, headers };
};

/** How a repetition is answered: again, or with the field that names what was created, because the answer held a secret (null: nothing). */
type Repetition = 'again' | { readonly spent: string | null };
const again = 'again';

/** Every POST that creates something or moves money (OPEN-67), written by hand from the texts. */
const creating: readonly (readonly [route: string, status: number, Repetition])[] = [
  ['POST /v1/api-keys', 201, { spent: 'api_key_id' }],
  ['POST /v1/apps/crmb/session-secret', 201, { spent: 'org_id' }],
  ['POST /v1/apps/{app_id}', 201, again],
  ['POST /v1/audit-logs/apps', 201, again],
  ['POST /v1/billing/charge', 200, again],
  ['POST /v1/billing/checkout', 201, again],
  ['POST /v1/billing/payment-methods', 201, again],
  ['POST /v1/billing/payment-methods/setup', 201, again],
  ['POST /v1/billing/portal', 201, again],
  ['POST /v1/billing/seats/bulk', 200, again],
  ['POST /v1/billing/subscription', 201, again],
  ['POST /v1/billing/subscription/adjust', 200, again],
  ['POST /v1/domains', 201, again],
  ['POST /v1/entropy/generate', 200, { spent: 'reference_id' }],
  ['POST /v1/products/structured-ingots/{vault_id}', 201, again],
  ['POST /v1/push-tokens', 201, again],
  ['POST /v1/sparks', 201, again],
  ['POST /v1/users', 201, again],
  ['POST /v1/vaults', 201, { spent: 'vault_id' }],
  ['POST /v1/vaults/{vault_id}/dvaks', 201, { spent: 'last_4_chars' }],
  ['POST /v1/vaults/{vault_id}/folders', 201, again],
  ['POST /v1/vaults/{vault_id}/ingots', 201, { spent: 'ingot_id' }],
  ['POST /v1/vaults/{vault_id}/ingots/{ingot_id}/sharing/invite', 201, again],
  ['POST /v1/vaults/{vault_id}/ingots/{ingot_id}/sparklinks', 201, { spent: null }],
];

/** Neither table: proved below, or elsewhere, or off in this installation. */
const provedElsewhere = [
  'POST /v1/billing/iap/validate', // needs an app store: apps/reporting/src/billing/purchase
  'POST /v1/products/notify/send', // its own table row is the test of NTF-21
  'POST /v1/vaults/{vault_id}/upload-sources/{source}/ingots', // off (OPEN-24)
];

/** Every other POST of accounts, by hand as well: it creates nothing and moves no money, or hands out what has ended soon. */
const acting = [
  'POST /v1/apps/chatapp/oauth/callback', // the code of the provider works once
  'POST /v1/apps/crma/oauth/callback',
  'POST /v1/apps/crmb/oauth/callback',
  'POST /v1/apps/{app_id}/oauth/start',
  'POST /v1/auth/viewer-token',
  'POST /v1/billing/aggregate',
  'POST /v1/billing/subscription/adjust/preview',
  'POST /v1/domains/challenge',
  'POST /v1/files/{code}/open',
  'POST /v1/products/notify/sends/{send_id}/deliveries/{delivery_id}/replay', // a delivery that did not fail is 409
  'POST /v1/sparks/{spark_id}/share/resend', // its purpose is another mail
  'POST /v1/users/{user_id}/invitation/resend', // its purpose is another mail
  'POST /v1/vaults/{vault_id}/ingots/{ingot_id}/download',
  'POST /v1/vaults/{vault_id}/ingots/{ingot_id}/sharing/invite/{invite_id}/resend', // its purpose is another mail
  'POST /v1/vaults/{vault_id}/ingots/{ingot_id}/sparklinks/{code}/deliver',
  'POST /v1/vaults/{vault_id}/seal',
  'POST /v1/vaults/{vault_id}/unseal',
];

const operationAt = (route: string): PublicOperation => {
  const found = operations.find(({ http }) => `${http.method} ${http.path}` === route);
  if (!found) throw new Error(`${route} is no operation`);
  return found;
};

describe('OPEN-67: over HTTP, a repeated request with its Idempotency-Key creates nothing and pays nothing', () => {
  it('applies to every POST of accounts, but for those that neither create nor pay', () => {
    const ofAccounts = operations.filter(
      ({ http, access }) =>
        http.method === 'POST' && (access.credential === 'key' || access.credential === 'session'),
    );
    const listed = [...creating.map(([route]) => route), ...provedElsewhere, ...acting];
    expect(ofAccounts.map(({ http }) => `${http.method} ${http.path}`).sort()).toEqual(listed.sort());
  });

  it.each(creating)('%s: %i, then %j', async (route, status, repetition) => {
    const op = operationAt(route);
    const input = await sampleOf(op)(tenant);
    const key = randomUUID();
    const first = await call(op, input, key);
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([status, undefined]);
    const repeated = await call(op, input, key);
    if (repetition === 'again') {
      expect([repeated.status, repeated.headers['idempotent-replayed']]).toEqual([status, 'true']);
      expect(repeated.data).toEqual(first.data);
      return;
    }
    expect([repeated.status, repeated.error?.code]).toEqual([409, 'CONFLICT']);
    const { spent } = repetition;
    const named = spent && { [spent]: (first.data as unknown as Record<string, unknown>)[spent] };
    expect(repeated.error?.details).toMatchObject({ reason: 'IDEMPOTENCY_KEY_SPENT', ...named });
  });

  it('OPEN-65: seats are bought once by two calls with one key, and by ten at the same time', async () => {
    const own = await newTenant(platform);
    const add = (key: string) =>
      own.owner.call(changeSeats, { body: { add: 1 } as never }, { 'Idempotency-Key': key });
    const seats = async () => succeeded(await own.owner.call(readSubscription, {})).seats;
    const before = await seats();
    for (const key of ['one', 'one']) expect((await add(key)).status).toBe(200);
    expect(await seats()).toBe(before + 1);
    const statuses = (await Promise.all(Array.from({ length: 10 }, () => add('ten')))).map(
      ({ status }) => status,
    );
    expect(new Set(statuses)).toEqual(new Set(statuses.includes(409) ? [200, 409] : [200]));
    expect(await seats()).toBe(before + 2);
    const other = await own.owner.call(
      changeSeats,
      { body: { add: 2 } as never },
      { 'Idempotency-Key': 'ten' },
    );
    expect([other.status, other.error?.details]).toEqual([
      409,
      expect.objectContaining({ reason: 'IDEMPOTENCY_KEY_REUSED' }),
    ]);
    expect(await seats()).toBe(before + 2);
  });

  it('OPEN-65: the key of a charge is refused for another invoice, which stays open', async () => {
    const own = await newTenant(platform);
    const buy = async (body: object) =>
      succeeded(await own.owner.call(adjustSubscription, { body: body as never })).invoice
        ?.invoice_id as string;
    const [first, second] = [await buy({ seats: 1 }), await buy({ seats: 2 })];
    const charge = (invoice_id: string) =>
      own.owner.call(chargeInvoice, { body: { invoice_id } }, { 'Idempotency-Key': 'pay' });
    expect((await charge(first)).data).toMatchObject({ invoice_id: first, status: 'paid' });
    expect(await charge(second)).toMatchObject({
      status: 409,
      error: { details: { reason: 'IDEMPOTENCY_KEY_REUSED' } },
    });
    const { invoices } = succeeded(await own.owner.call(listInvoices, { query: { limit: 10 } }));
    expect(invoices.find(({ invoice_id }) => invoice_id === second)?.status).toBe('open');
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
