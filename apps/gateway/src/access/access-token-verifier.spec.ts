import { createHmac, KeyObject, sign } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@vaultsvc/crypto/encoding';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { urlOf } from '@vaultsvc/testing/harness';
import { api } from '@vaultsvc/testing/http';
import { exportJWK, exportSPKI, generateKeyPair } from 'jose';
import { FakeServices, fakeServices } from '../testing/fake-services.js';
import { useWidgetInSession, testOperations } from '../testing/test-operations.js';
import { newSession, newSigner, fixtureSettings, type Signer } from '../testing/gateway-fixture.js';
import { gatewayOver } from '../service-definition.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
let fakes: FakeServices;
let signer: Signer;
let url: string;

beforeAll(async () => {
  fakes = (await harness.start(fakeServices)).context.get(FakeServices);
  signer = await newSigner(fakes);
  url = urlOf(await harness.start(gatewayOver(testOperations), fixtureSettings));
});

const status = async (jwt: string) => (await api(url, { jwt }).call(useWidgetInSession, {})).status;
const now = () => Math.floor(Date.now() / 1_000);
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('AUTH-32: a bearer token', () => {
  it('is accepted repeatedly while it is valid', async () => {
    const { jwt } = await newSession(fakes, signer);
    expect(await Promise.all(Array.from({ length: 20 }, () => status(jwt)))).toEqual(Array(20).fill(200));
  });

  it.each([
    ['expired', { claims: { exp: now() - 6 } }],
    ['without expiry', { claims: { exp: undefined } }],
    ['without session', { claims: { sid: undefined } }],
    ['whose session is a list', { claims: { sid: ['a'] as never } }],
    ['of another issuer', { claims: { iss: 'https://evil.test' } }],
    ['for another audience', { claims: { aud: 'viewer' } }],
    ['not valid yet', { claims: { nbf: now() + 3_600 } }],
    ['of another session type', { claims: { session_type: 'super' } }],
    ['that claims to be identity-only of a full session', { claims: { session_type: 'identity_only' } }],
    ['that is a viewer token', { header: { typ: 'viewer+jwt' }, claims: { aud: 'viewer' } }],
    ['of a bare JWT type', { header: { typ: 'JWT' } }],
    ['without type', { header: { typ: undefined } }],
    ['without key id', { header: { kid: undefined } }],
    ['with a key id that looks like a path', { header: { kid: '../../../../dev/null' } }],
  ])('%s is refused with 401', async (_, changes) => {
    expect(await status((await newSession(fakes, signer, {}, changes)).jwt)).toBe(401);
  });

  it('with a changed letter of its signature or changed claims is refused with 401', async () => {
    const { jwt } = await newSession(fakes, signer);
    const [header, payload, signature = ''] = jwt.split('.');
    const claims = JSON.parse(Buffer.from(payload as string, 'base64url').toString()) as object;
    for (const index of [0, 20, 60]) {
      const letter = signature[index] === 'A' ? 'B' : 'A';
      expect(
        await status(
          `${header}.${payload}.${signature.slice(0, index)}${letter}${signature.slice(index + 1)}`,
        ),
      ).toBe(401);
    }
    expect(await status(`${header}.${part({ ...claims, exp: now() + 99_999 })}.${signature}`)).toBe(401);
  });

  it('without algorithm, with an HMAC by the public key, with an embedded key or with an unknown key is refused with 401', async () => {
    const { jwt } = await newSession(fakes, signer);
    const [, payload] = jwt.split('.');
    const none = `${part({ alg: 'none', typ: 'at+jwt', kid: signer.kid })}.${payload}.`;
    expect(await status(none)).toBe(401);
    const head = part({ alg: 'HS256', typ: 'at+jwt', kid: signer.kid });
    const mac = createHmac('sha256', await exportSPKI(signer.publicKey))
      .update(`${head}.${payload}`)
      .digest('base64url');
    expect(await status(`${head}.${payload}.${mac}`)).toBe(401);
    const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
    const unknownKey = { ...pair, kid: signer.kid };
    expect(await status((await newSession(fakes, unknownKey)).jwt)).toBe(401);
    const embedded = { jwk: await exportJWK(pair.publicKey), jku: 'http://127.0.0.1:1/keys' };
    expect(await status((await newSession(fakes, unknownKey, {}, { header: embedded })).jwt)).toBe(401);
  });

  it('with an unknown critical extension is refused with 401 (RFC 7515, 4.1.11)', async () => {
    const [, payload] = (await newSession(fakes, signer)).jwt.split('.');
    const signed = (header: object) => {
      const text = `${part({ alg: 'EdDSA', typ: 'at+jwt', kid: signer.kid, ...header })}.${payload}`;
      return `${text}.${sign(null, Buffer.from(text), KeyObject.from(signer.privateKey)).toString('base64url')}`;
    };
    expect(await status(signed({}))).toBe(200);
    expect(await status(signed({ crit: ['http://x'], 'http://x': true }))).toBe(401);
  });

  it('OPEN-09: of a revoked session is refused although its signature is valid', async () => {
    expect(await status((await newSession(fakes, signer, { status: 'revoked' })).jwt)).toBe(401);
  });

  it('OPEN-59: for account routes is refused when the record is that of an identity', async () => {
    const { jwt } = await newSession(
      fakes,
      signer,
      { kind: 'identity', accountId: null },
      { claims: { session_type: 'full' } },
    );
    expect(await status(jwt)).toBe(401);
  });

  it('OPEN-60: with an unknown key id makes the gateway fetch keys again, at most once in 10 s', async () => {
    const requests = () => fakes.calls.filter(({ operation }) => operation === 'keys').length;
    const [before, sinceMs] = [requests(), performance.now()];
    const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
    for (let i = 0; i < 20; i++) await status((await newSession(fakes, { ...pair, kid: newId('kid_') })).jwt);
    const requestsMax = Math.ceil((performance.now() - sinceMs) / 10_000); // one, unless the machine is very slow
    expect(requests() - before).toBeLessThanOrEqual(requestsMax);
  });
});
