import { beforeAll, describe, expect, it } from '@jest/globals';
import { decode } from '@vaultsvc/contracts';
import { listSigningKeys, readJwks, ReceiptsToSign, signReceipts } from '@vaultsvc/contracts/auth';
import { Database, statement } from '@vaultsvc/database';
import type { RunningService } from '@vaultsvc/service';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { internalContext } from '@vaultsvc/testing/harness';
import { compactVerify, createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { auth } from '../service-definition.js';
import { ReceiptKeys } from './receipt-keys.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
let service: RunningService;
beforeAll(async () => {
  service = await harness.start(auth);
});

const context = () => internalContext();
const query = <Row extends object>(name: string, sql: string) =>
  service.context.get(Database).query<Row>(statement(`test.${name}`, sql));
const signAll = async (...claims: readonly unknown[]) => {
  const receipts = claims.map((each) => ({ claims_json: JSON.stringify(each) }));
  const answer = await harness.bus.call(signReceipts, { body: { receipts } }, context());
  return answer.receipts.map(({ jws }) => jws);
};
const sign = async (claims: unknown) => (await signAll(claims))[0] as string;
const keySet = () => harness.bus.call(readJwks, {}, context());
/** Verifies with the reply of the public endpoint alone. */
const verify = async (jws: string) =>
  jwtVerify(jws, createLocalJWKSet(await keySet()), { algorithms: ['EdDSA'], typ: 'receipt+jwt' });
const kidOf = (jws: string) => decodeProtectedHeader(jws).kid as string;

/** Makes all keys older, until the newest one is due, and then until its successor has replaced it. */
async function rotate(): Promise<void> {
  const age = (interval: string) =>
    query(
      `age-${interval}`,
      `UPDATE receipt_keys SET first_use_at = first_use_at - interval '${interval}', retire_at = retire_at - interval '${interval}'`,
    );
  const keys = service.context.get(ReceiptKeys);
  await age('29 days 1 hour');
  await keys.rotate();
  await age('23 hours 1 minute');
  await age('76 minutes');
  await keys.rotate();
}

describe('NTF-27 NTF-45: a receipt', () => {
  const claims = { jti: 'rcp_1', sub: 'link', action: 'approve', note: 'ü€😀' };

  it('is a compact JWS of type receipt+jwt with issuer and time, which the key set alone verifies', async () => {
    const [{ from } = { from: 0 }] = await query<{ from: number }>(
      'now',
      `SELECT floor(extract(epoch FROM clock_timestamp()))::int AS from`,
    );
    const jws = await sign({ ...claims, iss: 'https://forged.example', iat: 5 });
    const { payload, protectedHeader } = await verify(jws);
    expect(protectedHeader).toEqual({ alg: 'EdDSA', typ: 'receipt+jwt', kid: expect.any(String) });
    expect(payload).toEqual({ ...claims, iss: 'http://127.0.0.1:8080', iat: expect.any(Number) });
    // Auth extrapolates the clock of PostgreSQL from its last read, and is behind it by the latency of that query.
    expect(payload.iat).toBeGreaterThanOrEqual(from - 1);
    expect(payload.iat).toBeLessThanOrEqual(Date.now() / 1_000);
  });

  it('does not verify with any changed character', async () => {
    const jws = await sign(claims);
    const keys = createLocalJWKSet(await keySet());
    await compactVerify(jws, keys);
    for (const index of [...jws].keys()) {
      // Decoding ignores four bits of the last character.
      if (jws[index] === '.' || index === jws.length - 1) continue;
      const changed = jws.slice(0, index) + (jws[index] === 'A' ? 'B' : 'A') + jws.slice(index + 1);
      await expect(compactVerify(changed, keys)).rejects.toThrow();
    }
  });

  it('is signed with others in one call, in their order, a hundred at most', async () => {
    const signed = await signAll(...Array.from({ length: 100 }, (_, n) => ({ n })));
    const payloads = await Promise.all(signed.map(verify));
    expect(payloads.map(({ payload }) => payload['n'])).toEqual([...Array(100).keys()]);
    const many = (length: number) => ({ receipts: Array.from({ length }, () => ({ claims_json: '{}' })) });
    expect(() => decode(ReceiptsToSign, many(100))).not.toThrow();
    expect(() => decode(ReceiptsToSign, many(101))).toThrow();
  });

  it('has 4,096 bytes of claims at most', async () => {
    const note = 'x'.repeat(4_085);
    expect(Buffer.byteLength(JSON.stringify({ note }))).toBe(4_096);
    expect((await verify(await sign({ note }))).payload).toMatchObject({ note });
  });

  it.each([
    ['a list', '[]'],
    ['null', 'null'],
    ['a text', '"a"'],
    ['no JSON', '{'],
    ['an object of 4,097 bytes', JSON.stringify({ a: '€'.repeat(1_363) })],
  ])('is refused as invalid if its claims are %s', async (_, claims_json) => {
    const body = { receipts: [{ claims_json: '{}' }, { claims_json }] };
    await expect(harness.bus.call(signReceipts, { body }, context())).rejects.toMatchObject({
      reason: 'VALIDATION_ERROR',
      details: { fields: [{ field: 'receipts.1.claims_json' }] },
    });
  });
});

describe('NTF-45 OPEN-36: the keys of receipts', () => {
  it('stay in the key set for ever, so that receipts verify after two rotations; their private parts do not', async () => {
    const first = await sign({ n: 1 });
    await rotate();
    const second = await sign({ n: 2 });
    await rotate();
    const third = await sign({ n: 3 });
    const kids = [first, second, third].map(kidOf);
    expect(new Set(kids).size).toBe(3);
    for (const [index, jws] of [first, second, third].entries())
      expect((await verify(jws)).payload).toMatchObject({ n: index + 1 });
    const rows = await query(
      'rows',
      `SELECT kid, sealed IS NULL AND data_key_id IS NULL AS destroyed FROM receipt_keys ORDER BY generation`,
    );
    expect(rows).toEqual([
      { kid: kids[0], destroyed: true },
      { kid: kids[1], destroyed: true },
      { kid: kids[2], destroyed: false },
    ]);
  });

  it('are not among those with which services verify access tokens, nor the other way round', async () => {
    const { keys_json } = await harness.bus.call(listSigningKeys, {}, context());
    const ofTokens = await query<{ kid: string }>('signing-kids', `SELECT kid FROM signing_keys`);
    const inside = (JSON.parse(keys_json) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
    expect(inside).toEqual(ofTokens.map(({ kid }) => kid));
    const ofReceipts = await query<{ kid: string }>('receipt-kids', `SELECT kid FROM receipt_keys`);
    expect(inside.filter((kid) => ofReceipts.some((row) => row.kid === kid))).toEqual([]);
  });

  it('cannot be deleted by the role of the service', async () => {
    const { dataSource } = service.context.get(Database);
    for (const change of ['DELETE FROM receipt_keys', 'TRUNCATE receipt_keys'])
      await expect(dataSource.query(change)).rejects.toMatchObject({ code: '42501' }); // insufficient_privilege
  });

  it('OPEN-51: sign nothing when the private part of a key is in the row of another purpose', async () => {
    await query(
      'swap',
      `UPDATE receipt_keys r SET kid = s.kid, public_key = s.public_key, data_key_id = s.data_key_id, sealed = s.sealed
         FROM signing_keys s WHERE r.sealed IS NOT NULL`,
    );
    await service.context.get(ReceiptKeys).rotate();
    await expect(service.context.get(ReceiptKeys).signReceipt({})).rejects.toMatchObject({
      name: 'WrongKey',
    });
  });
});
