import { beforeAll, describe, expect, it } from '@jest/globals';
import { listSigningKeys } from '@vaultsvc/contracts/auth';
import type { RunningService } from '@vaultsvc/service';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { mintSession, type TestSession } from '@vaultsvc/tools-testing/accounts';
import { forgeryNames, forgeTokens, type ForgedTokens } from '@vaultsvc/tools-testing/forged-tokens';
import { internalContext } from '@vaultsvc/testing/harness';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { auth } from '../service-definition.js';
import { AccessTokens } from './access-tokens.js';

const harness = useHarness({ LOG_LEVEL: 'error' });
let service: RunningService;
let session: TestSession;
/** Epoch seconds before and after the signature. */
let signedBetween: readonly [from: number, to: number];
let forged: ForgedTokens;
/** RFC 8725, section 3.1: the token does not choose how it is verified. */
let verify: (token: string, typ?: string, audience?: string) => ReturnType<typeof jwtVerify>;

beforeAll(async () => {
  // Auth extrapolates the clock of PostgreSQL from its start, and is behind it by the latency of that query.
  const from = Math.floor(Date.now() / 1_000);
  service = await harness.start(auth);
  session = await mintSession(service, { role: 'member' });
  signedBetween = [from, Math.floor(Date.now() / 1_000)];
  forged = await forgeTokens(service, session);
  const { keys_json } = await harness.bus.call(listSigningKeys, {}, internalContext());
  const keySet = JSON.parse(keys_json) as JSONWebKeySet;
  const byKid: JWTVerifyGetKey = (header, token) => {
    if (header.kid === undefined) throw new Error('no kid');
    return createLocalJWKSet(keySet)(header, token);
  };
  verify = (token, typ = 'at+jwt', audience = 'vaultsvc') =>
    jwtVerify(token, byKid, {
      algorithms: ['EdDSA'],
      issuer: 'http://127.0.0.1:8080',
      audience,
      typ,
      clockTolerance: 5,
      requiredClaims: ['exp', 'iat', 'sub', 'sid'],
    });
});

describe('OPEN-60: signed tokens', () => {
  it('AUTH-16: name their session for an hour, and no role or permission', async () => {
    const { payload, protectedHeader } = await verify(session.token);
    expect(protectedHeader).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid: expect.any(String) });
    expect(payload).toEqual({
      iss: 'http://127.0.0.1:8080',
      aud: 'vaultsvc',
      sub: session.subject,
      account_id: session.accountId,
      sid: session.sessionId,
      session_type: 'full',
      client_id: 'vaultsvc-test',
      jti: expect.any(String),
      iat: expect.any(Number),
      exp: (payload.iat ?? 0) + 3_600,
    });
    expect(payload.iat).toBeGreaterThanOrEqual(signedBetween[0]);
    expect(payload.iat).toBeLessThanOrEqual(signedBetween[1]);
  });

  it('AUTH-33: carry the session type identity_only and no account before the sign-up', async () => {
    const { token, subject } = await mintSession(service, { sessionType: 'identity_only' });
    const { payload } = await verify(token);
    expect(payload).toMatchObject({ session_type: 'identity_only', sub: subject });
    expect(payload).not.toHaveProperty('account_id');
  });

  it('AUTH-32 OPEN-08: do not pass as both access and viewer tokens, and viewer tokens live 300 s', async () => {
    const viewer = await service.context
      .get(AccessTokens)
      .signViewerToken({ accountId: 'acc_x', subject: 'usr_x' });
    await expect(verify(viewer)).rejects.toMatchObject({ code: 'ERR_JWT_CLAIM_VALIDATION_FAILED' });
    await expect(verify(session.token, 'viewer+jwt', 'viewer')).rejects.toMatchObject({
      code: 'ERR_JWT_CLAIM_VALIDATION_FAILED',
    });
    const { iat, exp } = JSON.parse(Buffer.from(viewer.split('.')[1] ?? '', 'base64url').toString()) as {
      iat: number;
      exp: number;
    };
    expect(exp - iat).toBe(300);
  });

  it('have unique ids', async () => {
    const claims = { userId: 'usr_x', accountId: 'acc_x', sessionId: session.sessionId, clientId: 'c' };
    const tokens = await Promise.all(
      Array.from({ length: 50 }, () => service.context.get(AccessTokens).signAccessToken(claims)),
    );
    expect(
      new Set((await Promise.all(tokens.map((token) => verify(token)))).map(({ payload }) => payload.jti))
        .size,
    ).toBe(50);
  });
});

describe('AUTH-32: a verifier that follows RFC 8725', () => {
  it.each(forgeryNames)('rejects a forged token: %s', async (forgery) => {
    await expect(verify(forged[forgery])).rejects.toThrow();
  });

  it('accepts the token from which the forgeries are made', async () => {
    await expect(verify(session.token)).resolves.toBeDefined();
  });
});
