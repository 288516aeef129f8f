import { beforeAll, describe, expect, it } from '@jest/globals';
import { type AccountContext } from '@vaultsvc/contracts';
import { mintViewerToken, resolveCredential } from '@vaultsvc/contracts/auth';
import type { RunningService } from '@vaultsvc/service';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { accountContext, internalContext } from '@vaultsvc/testing/harness';
import { mintApiKey, mintSession } from '@vaultsvc/tools-testing/accounts';
import { auth } from '../service-definition.js';
import { decodeJwt, decodeProtectedHeader } from 'jose';

const harness = useHarness({ LOG_LEVEL: 'silent' });
let service: RunningService;
/** Epoch seconds. */
let startedAt: number;
beforeAll(async () => {
  startedAt = Math.floor(Date.now() / 1_000);
  service = await harness.start(auth);
});

const mint = (context: AccountContext) => harness.bus.call(mintViewerToken, {}, context);

describe('POST /v1/auth/viewer-token', () => {
  it('AUTH-27: issues a token of 300 seconds with the calling API key as subject', async () => {
    const { context, accountId, apiKeyId } = await mintApiKey(service);
    const answer = await mint(context);
    expect(answer).toEqual({ viewer_token: expect.any(String), expires_in: 300 });
    const { iat = 0, ...claims } = decodeJwt(answer.viewer_token);
    expect(claims).toEqual({
      iss: 'http://127.0.0.1:8080',
      aud: 'viewer',
      sub: apiKeyId,
      account_id: accountId,
      jti: expect.any(String),
      exp: iat + 300,
    });
    expect(iat).toBeGreaterThanOrEqual(startedAt);
    expect(iat).toBeLessThanOrEqual(Date.now() / 1_000);
  });

  it.each(['owner', 'member'] as const)(
    'AUTH-27: issues a token with the user as subject to a session (%s)',
    async (role) => {
      const { accountId, subject, sessionId } = await mintSession(service, { role, seat: 'viewer' });
      const credential = { accountId: accountId as string, userId: subject, credentialId: sessionId };
      const { viewer_token } = await mint(
        accountContext({ ...credential, kind: 'session', role, seat: 'viewer' }),
      );
      expect(decodeJwt(viewer_token)).toMatchObject({ sub: subject, account_id: accountId, aud: 'viewer' });
    },
  );

  it('OPEN-08: issues the type viewer+jwt, without a session that could be resolved', async () => {
    const { context } = await mintApiKey(service);
    const { viewer_token } = await mint(context);
    expect(decodeProtectedHeader(viewer_token)).toMatchObject({ alg: 'EdDSA', typ: 'viewer+jwt' });
    const claims = decodeJwt(viewer_token);
    expect(claims).not.toHaveProperty('sid');
    const body = { kind: 'session', key: claims.jti as string } as const;
    expect(await harness.bus.call(resolveCredential, { body }, internalContext())).toEqual({
      found: false,
    });
  });

  it('never issues the same token twice', async () => {
    const { context } = await mintApiKey(service);
    const [one, other] = await Promise.all([mint(context), mint(context)]);
    expect(one.viewer_token).not.toBe(other.viewer_token);
  });
});
