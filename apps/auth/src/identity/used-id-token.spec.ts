import { beforeAll, describe, expect, it } from '@jest/globals';
import { useFixture } from '@vaultsvc/testing/fixtures';
import { reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import { DeleteExpiredSessions } from '../sessions/delete-expired-sessions.job.js';
import { firstOwner, SignInFixture, tokenClaimsOf } from '../testing/sign-in-fixture.js';

/** The order of the group of P-256 (SEC 2, 2.4.2). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

const fixture = useFixture(
  () => SignInFixture.start({ algorithm: 'ES256' }),
  (started) => started.stop(),
);
beforeAll(() => stopSchedule(fixture.service));

const newToken = (claims?: object) =>
  fixture.provider.idToken(fixture.addProviderUser().subject, { ...claims });
const used = () => fixture.rows(`SELECT hash, expires_at FROM used_id_tokens`);

/** The same token with the other valid signature of ECDSA: (r, -s). */
function withOtherSignature(token: string): string {
  const [head, claims, signature = ''] = token.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  const s = ORDER - BigInt(`0x${bytes.subarray(32).toString('hex')}`);
  const other = Buffer.from(s.toString(16).padStart(64, '0'), 'hex');
  return [head, claims, Buffer.concat([bytes.subarray(0, 32), other]).toString('base64url')].join('.');
}

describe('AUTH-08 OPEN-59: an ID token', () => {
  it('signs in once, and is then refused like an invalid one', async () => {
    const token = await newToken();
    await fixture.verify(token);
    await expect(fixture.verify(token)).rejects.toMatchObject({ reason: 'IDENTITY_REFUSED', status: 401 });
    await expect(fixture.verify(token, 'cookie')).rejects.toMatchObject({ reason: 'IDENTITY_REFUSED' });
  });

  it('signs in once when it is sent twenty times at once', async () => {
    const token = await newToken();
    const attempts = Array.from({ length: 20 }, () => reasonOf(fixture.verify(token)));
    const reasons = (await Promise.all(attempts)).sort();
    expect(reasons).toEqual([...Array.from({ length: 19 }, () => 'IDENTITY_REFUSED'), 'none']);
  });

  it('is the same one with the other valid signature', async () => {
    const token = await newToken();
    const other = withOtherSignature(token);
    expect(other).not.toBe(token);
    await fixture.verify(other);
    await expect(fixture.verify(token)).rejects.toMatchObject({ reason: 'IDENTITY_REFUSED' });
  });

  it('leaves other tokens of its person valid', async () => {
    const { subject } = fixture.addProviderUser();
    const first = await fixture.signInByToken(subject);
    expect(tokenClaimsOf(await fixture.signInByToken(subject)).sub).toBe(tokenClaimsOf(first).sub);
  });

  it('is not used by a sign-in that fails', async () => {
    const { subject, email } = fixture.addProviderUser();
    const { accountId, userIds } = await fixture.newAccount(firstOwner(email));
    const suspend = (status: string) =>
      fixture.rows(`UPDATE accounts SET status = $2 WHERE id = $1`, accountId, status);
    await suspend('suspended');
    const token = await fixture.provider.idToken(subject);
    await expect(fixture.verify(token)).rejects.toMatchObject({ reason: 'ACCOUNT_SUSPENDED' });
    await suspend('active');
    expect((await fixture.verify(token)).user?.user_id).toBe(userIds[0]);
  });

  it('is kept as a hash until it expires, whatever its expiry is', async () => {
    await fixture.rows(`DELETE FROM used_id_tokens`);
    const job = fixture.service.context.get(DeleteExpiredSessions);
    const exp = Math.floor(Date.now() / 1_000) + 600;
    for (const each of [exp, 1e300]) await fixture.verify(await newToken({ exp: each }));
    await job.run();
    const [first, second, ...others] = await used();
    expect(others).toEqual([]);
    const expiries = [first, second].map((row) =>
      Math.round((row as { expires_at: Date }).expires_at.getTime() / 1_000),
    );
    expect(expiries).toContain(exp + 60);
    const longest = `SELECT max(extract(epoch FROM expires_at))::float AS at FROM used_id_tokens`;
    expect(await fixture.rows(longest)).toEqual([{ at: 253_402_300_799 + 60 }]); // the end of the year 9999
    await fixture.rows(
      `UPDATE used_id_tokens SET expires_at = now() WHERE expires_at < now() + interval '1 day'`,
    );
    await job.run();
    expect(await used()).toHaveLength(1);
  });
});
