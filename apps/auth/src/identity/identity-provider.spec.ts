import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@vaultsvc/config';
import { AppError } from '@vaultsvc/contracts';
import { describeError } from '@vaultsvc/service';
import { repeatUntilFasterThan } from '@vaultsvc/testing/waiting';
import {
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  type CryptoKey,
  type GenerateKeyPairResult,
  type JWTPayload,
} from 'jose';
import { AuthConfig } from '../config.js';
import { CLIENT_SECRET, deployments } from '../testing/deployments.js';
import { TestProvider } from '../testing/test-provider.js';
import { IdentityProvider } from './identity-provider.js';

function oursFor(provider: TestProvider, overrides: Partial<AuthConfig> = {}): IdentityProvider {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET = '', OIDC_REDIRECT_URI } = provider.settings;
  const config = Object.assign(new AuthConfig(), {
    PROFILE: 'local',
    ...{ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_REDIRECT_URI },
    OIDC_CLIENT_SECRET: new Secret(OIDC_CLIENT_SECRET),
    ...overrides,
  });
  return new IdentityProvider(config);
}

const refused = { reason: 'IDENTITY_REFUSED', code: 'UNAUTHORIZED', status: 401 };
const unverified = { reason: 'EMAIL_NOT_VERIFIED', code: 'UNAUTHORIZED', status: 401 };

/** 500 for the caller; what the operator reads in the log is given back. */
async function faultOf(attempt: Promise<unknown>): Promise<string> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ reason: 'INTERNAL_ERROR', cause: { name: 'ProviderFault' } });
  return JSON.stringify(describeError(error));
}

describe.each(deployments)('%s', (_deployment, options) => {
  let provider: TestProvider;
  let ours: IdentityProvider;
  let attacker: GenerateKeyPairResult;

  beforeAll(async () => {
    provider = await TestProvider.start(options);
    ours = oursFor(provider);
    attacker = await generateKeyPair(options.algorithm ?? 'ES256');
  });
  afterEach(() => provider.disturb(undefined));
  afterAll(() => provider.pause());

  const exchange = async (subject: string, parameters?: Record<string, string>) => {
    const { code, code_verifier: verifier } = await provider.signIn(subject, parameters);
    return ours.exchangeCode(code, verifier);
  };

  it('AUTH-04 OPEN-47: a code and its verifier prove who signed in', async () => {
    const subject = provider.addPerson({ name: 'Zoe\u0308 ' });
    const email = `${subject}@example.test`;
    expect(await exchange(subject)).toEqual({ issuer: provider.issuer, subject, email, name: 'Zo\u00eb' });
  });

  it('AUTH-08: an ID token of the provider proves it as well', async () => {
    const subject = provider.addPerson({ name: 'Ann' });
    expect(await ours.verifyIdToken(await provider.idToken(subject))).toEqual({
      issuer: provider.issuer,
      subject,
      email: `${subject}@example.test`,
      name: 'Ann',
    });
  });

  it('AUTH-04: state and nonce are the business of whoever began the sign-in', async () => {
    const subject = provider.addPerson();
    await expect(exchange(subject, { state: 'any', nonce: 'any' })).resolves.toMatchObject({ subject });
  });

  it('AUTH-04: a verifier that does not fit is refused, and the code with it', async () => {
    const { code, code_verifier: verifier } = await provider.signIn(provider.addPerson());
    await expect(ours.exchangeCode(code, 'x'.repeat(43))).rejects.toMatchObject(refused);
    const another = await provider.signIn(provider.addPerson());
    await expect(ours.exchangeCode(another.code, verifier)).rejects.toMatchObject(refused);
  });

  it('AUTH-04: a code works once', async () => {
    const { code, code_verifier: verifier } = await provider.signIn(provider.addPerson());
    await ours.exchangeCode(code, verifier);
    await expect(ours.exchangeCode(code, verifier)).rejects.toMatchObject(refused);
  });

  it('AUTH-04: a code that the provider never gave is refused', async () => {
    for (const code of ['x', 'x'.repeat(512), 'a&client_id=b', '\u{1f600}', '%00'])
      await expect(ours.exchangeCode(code, 'x'.repeat(43))).rejects.toMatchObject(refused);
  });

  it('OPEN-47: a rotated key works at once, and the old one no longer', async () => {
    const subject = provider.addPerson();
    const old = await provider.idToken(subject);
    await ours.verifyIdToken(old);
    await provider.rotateKeys();
    await expect(exchange(subject)).resolves.toMatchObject({ subject });
    await expect(ours.verifyIdToken(await provider.idToken(subject))).resolves.toMatchObject({ subject });
    await expect(ours.verifyIdToken(old)).rejects.toMatchObject(refused);
    await provider.rotateKeys();
    await expect(ours.verifyIdToken(await provider.idToken(subject))).resolves.toMatchObject({ subject });
  });

  it('OPEN-47: a hundred tokens of a made-up key ask the provider for its keys thrice at most', async () => {
    const header = { kid: 'made-up' };
    const token = await provider.idToken(provider.addPerson(), {}, header, attacker.privateKey);
    let asked = 0;
    provider.disturb(({ url }) => {
      if (url?.endsWith('/jwks')) asked++;
      return false;
    });
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => ours.verifyIdToken(token)));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: refused });
    expect(asked).toBeLessThanOrEqual(3);
  });

  describe('OPEN-59: only `email_verified: true` verifies an address', () => {
    const unproved: Record<string, Record<string, unknown>> = {
      false: { email_verified: false },
      'the text true': { email_verified: 'true' },
      'the number 1': { email_verified: 1 },
      null: { email_verified: null },
      nothing: { email_verified: undefined },
      'true, without an address': { email: undefined },
      'true, of what is no address': { email: 'ann' },
      'true, of two addresses': { email: 'a@b.test,c@d.test' },
      'true, of an address with a line break': { email: 'ann@example.test\n' },
    };

    it.each(Object.keys(unproved))('%s', async (name) => {
      const subject = provider.addPerson(unproved[name]);
      await expect(exchange(subject)).rejects.toMatchObject(unverified);
      await expect(ours.verifyIdToken(await provider.idToken(subject))).rejects.toMatchObject(unverified);
    });
  });

  it('a name that could not be shown is no reason to refuse its bearer', async () => {
    for (const name of ['', ' \t', 'x'.repeat(256), 'a\u202eb', 'a\nb', 7]) {
      const subject = provider.addPerson({ name: name as string });
      await expect(exchange(subject)).resolves.toMatchObject({ subject, name: null });
    }
  });

  describe('AUTH-08 OPEN-47: a token that the provider did not make for us, or not for now, is refused', () => {
    const now = () => Math.floor(Date.now() / 1_000);
    type Forgery = (subject: string) => Promise<string>;

    const claims =
      (change: () => JWTPayload): Forgery =>
      (subject) =>
        provider.idToken(subject, change());
    const header =
      (change: Record<string, unknown>): Forgery =>
      (subject) =>
        provider.idToken(subject, {}, change);
    const hmac =
      (secret: () => Promise<Uint8Array>): Forgery =>
      async (subject) =>
        provider.idToken(subject, {}, { alg: 'HS256' }, await secret());
    const parts =
      (change: (parts: string[]) => string[]): Forgery =>
      async (subject) =>
        change((await provider.idToken(subject)).split('.')).join('.');
    const foreign =
      (change: (jwk: Record<string, unknown>) => Record<string, unknown>): Forgery =>
      async (subject) => {
        const jwk = { ...(await exportJWK(attacker.publicKey)) };
        return provider.idToken(subject, {}, change(jwk), attacker.privateKey);
      };
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const publicKey = async () => (await importJWK(provider.publicJwk)) as CryptoKey;

    const forgeries: Record<string, Forgery> = {
      'algorithm none': parts(([, payload = '']) => [encode({ alg: 'none' }), payload, '']),
      'HS256 keyed with the public key in PEM': hmac(async () =>
        Buffer.from(await exportSPKI(await publicKey())),
      ),
      'HS256 keyed with the public key in JSON': hmac(async () =>
        Buffer.from(JSON.stringify(provider.publicJwk)),
      ),
      'HS256 keyed with the client secret': hmac(async () => Buffer.from(CLIENT_SECRET)),
      'signed by another key under its kid': foreign(() => ({})),
      'signed by the key in its own header': foreign((jwk) => ({ kid: 'own', jwk })),
      'a kid that nobody has': foreign(() => ({ kid: 'nobody' })),
      'no kid, another key': foreign(() => ({ kid: undefined })),
      'keys at an address of its own': foreign(() => ({ kid: 'own', jku: 'http://127.0.0.1:1/jwks' })),
      'an unknown critical header': parts(([, payload = '', signature = '']) => [
        encode({ alg: provider.publicJwk.alg, kid: provider.publicJwk.kid, crit: ['urgent'], urgent: true }),
        payload,
        signature,
      ]),
      'the type of an access token': header({ typ: 'at+jwt' }),
      'the type of a logout token': header({ typ: 'logout+jwt' }),
      'another audience': claims(() => ({ aud: 'another-client' })),
      'no audience': claims(() => ({ aud: undefined })),
      'several audiences and no authorized party': claims(() => ({ aud: [provider.clientId, 'other'] })),
      'several audiences and another authorized party': claims(() => ({
        aud: [provider.clientId, 'other'],
        azp: 'other',
      })),
      'another authorized party': claims(() => ({ azp: 'other' })),
      'another issuer': claims(() => ({ iss: 'https://issuer.example' })),
      'the issuer with a slash behind it': claims(() => ({ iss: `${provider.issuer}/` })),
      'no issuer': claims(() => ({ iss: undefined })),
      'expired six seconds ago': claims(() => ({ exp: now() - 6 })),
      'no expiry': claims(() => ({ exp: undefined })),
      'an expiry that is text': claims(() => ({ exp: '9999999999' as never })),
      'no time of issue': claims(() => ({ iat: undefined })),
      'issued in a minute': claims(() => ({ iat: now() + 60 })),
      'valid in a minute': claims(() => ({ nbf: now() + 60 })),
      'no subject': claims(() => ({ sub: undefined })),
      'an empty subject': claims(() => ({ sub: '' })),
      'a subject of 256 characters': claims(() => ({ sub: 'x'.repeat(256) })),
      'a subject with NUL': claims(() => ({ sub: 'a\u0000b' })),
      'a subject that is a number': claims(() => ({ sub: 7 as never })),
      'one character of the payload changed': parts(([head = '', payload = '', signature = '']) => [
        head,
        flip(payload, 20),
        signature,
      ]),
      'one character of the signature changed': parts(([head = '', payload = '', signature = '']) => [
        head,
        payload,
        flip(signature, 20),
      ]),
      'the signature cut off': parts(([head = '', payload = '']) => [head, payload, '']),
      'a fourth part': parts((all) => [...all, 'x']),
      'five parts, as if encrypted': parts((all) => [...all, 'x', 'x']),
      'not a token': async () => 'token',
      dots: async () => '..',
      'nothing that can be read': async () => '\u{1f600}.e30.e30',
    };

    it.each(Object.keys(forgeries))('%s', async (name) => {
      const forged = await (forgeries[name] as Forgery)(provider.addPerson());
      await expect(ours.verifyIdToken(forged)).rejects.toMatchObject(refused);
    });

    it('while four seconds of the five that are tolerated pass', async () => {
      const subject = provider.addPerson();
      const verified = async (change: () => JWTPayload) =>
        ours.verifyIdToken(await provider.idToken(subject, change())).catch(() => null);
      // What takes less than a second is seen in the same second or the next.
      expect(await repeatUntilFasterThan(1, () => verified(() => ({ exp: now() - 3 })))).toMatchObject({
        subject,
      });
      expect(await verified(() => ({ iat: now() + 4 }))).toMatchObject({ subject });
    });

    it('while the limits themselves pass', async () => {
      const subject = provider.addPerson();
      const passing: JWTPayload[] = [
        { aud: [provider.clientId] },
        { aud: [provider.clientId, 'other'], azp: provider.clientId },
        { nonce: 'any' },
      ];
      for (const change of passing)
        await expect(ours.verifyIdToken(await provider.idToken(subject, change))).resolves.toBeDefined();
      const longest = provider.addPerson();
      const token = await provider.idToken(longest, { sub: 'x'.repeat(255) });
      await expect(ours.verifyIdToken(token)).resolves.toMatchObject({ subject: 'x'.repeat(255) });
    });
  });

  describe("OPEN-47: the provider's faults are ours to log and nobody's to see", () => {
    it('away: 500, and the next sign-in after its return succeeds', async () => {
      const fresh = oursFor(provider);
      const subject = provider.addPerson();
      const token = await provider.idToken(subject);
      const { code, code_verifier: verifier } = await provider.signIn(subject);
      await provider.pause();
      try {
        expect(await faultOf(fresh.verifyIdToken(token))).toContain('discovery');
        // A kept connection may be used before its end is seen.
        const gone = /ECONNREFUSED|ECONNRESET|EPIPE|UND_ERR_SOCKET/;
        expect(await faultOf(ours.exchangeCode(code, verifier))).toMatch(gone);
      } finally {
        await provider.resume();
      }
      await expect(fresh.verifyIdToken(token)).resolves.toMatchObject({ subject });
      await expect(ours.exchangeCode(code, verifier)).resolves.toMatchObject({ subject });
    });

    const nonsense: Record<string, readonly [path: string, status: number, type: string, body: string]> = {
      'a discovery page': ['/.well-known/openid-configuration', 200, 'text/html', '<h1>Hello</h1>'],
      'discovery without an issuer': ['/.well-known/openid-configuration', 200, 'application/json', '{}'],
      'discovery of another issuer': [
        '/.well-known/openid-configuration',
        200,
        'application/json',
        '{"issuer":"https://issuer.example","jwks_uri":"https://issuer.example/jwks"}',
      ],
      'a failing discovery': ['/.well-known/openid-configuration', 503, 'application/json', '{}'],
      'a failing token endpoint': ['/token', 500, 'application/json', '{"error":"server_error"}'],
      'a token page': ['/token', 200, 'text/html', 'canary-4711'],
      'a token answer that breaks off': ['/token', 200, 'application/json', '{"access_token":"canary-4711'],
      'a token answer without ID token': [
        '/token',
        200,
        'application/json',
        '{"access_token":"canary-4711","token_type":"bearer"}',
      ],
      'a token answer with a forged ID token': [
        '/token',
        200,
        'application/json',
        '{"access_token":"canary-4711","token_type":"bearer","id_token":"e30.e30.canary-4711"}',
      ],
      'a redirecting token endpoint': ['/token', 307, 'text/plain', ''],
      'a page of keys': ['/jwks', 200, 'text/html', '<h1>Hello</h1>'],
      'keys that are none': ['/jwks', 200, 'application/json', '{"keys":"canary-4711"}'],
    };

    it.each(Object.keys(nonsense))('%s: 500, and no token in the log', async (name) => {
      const [path, status, type, body] = nonsense[name] as (typeof nonsense)[string];
      const { code, code_verifier: verifier } = await provider.signIn(provider.addPerson());
      provider.disturb(({ url }, response) => {
        if (!url?.endsWith(path)) return false;
        response.writeHead(status, { 'content-type': type, location: 'http://127.0.0.1:1/' }).end(body);
        return true;
      });
      const said = await faultOf(oursFor(provider).exchangeCode(code, verifier));
      for (const secret of ['canary-4711', code, verifier, CLIENT_SECRET]) expect(said).not.toContain(secret);
    });

    it('a client that the provider does not know: 500, and the log says invalid_client', async () => {
      const { code, code_verifier: verifier } = await provider.signIn(provider.addPerson());
      const stranger = oursFor(provider, { OIDC_CLIENT_ID: 'stranger' });
      expect(await faultOf(stranger.exchangeCode(code, verifier))).toContain('invalid_client');
    });

    it('plain http beyond this machine, or outside the local profile, is never spoken', async () => {
      const token = await provider.idToken(provider.addPerson());
      const attempt = (overrides: Partial<AuthConfig>) => oursFor(provider, overrides).verifyIdToken(token);
      expect(await faultOf(attempt({ PROFILE: 'production' }))).toMatch(/https/i);
      expect(await faultOf(attempt({ OIDC_ISSUER: 'http://issuer.example' }))).toContain('over https');
    });
  });
});

describe('OPEN-47: what one provider alone shows', () => {
  it('a client secret travels in the body where the provider takes it there only', async () => {
    const provider = await TestProvider.start({
      clientSecret: CLIENT_SECRET,
      authMethod: 'client_secret_post',
    });
    const subject = provider.addPerson();
    const { code, code_verifier: verifier } = await provider.signIn(subject);
    await expect(oursFor(provider).exchangeCode(code, verifier)).resolves.toMatchObject({ subject });
    await provider.pause();
  });

  it('a wrong client secret: 500, and the log says invalid_client', async () => {
    const provider = await TestProvider.start({ clientSecret: CLIENT_SECRET });
    const { code, code_verifier: verifier } = await provider.signIn(provider.addPerson());
    const ours = oursFor(provider, { OIDC_CLIENT_SECRET: new Secret('wrong') });
    expect(await faultOf(ours.exchangeCode(code, verifier))).toContain('invalid_client');
    await provider.pause();
  });

  it('userinfo of somebody else is a fault and nobody is signed in', async () => {
    const provider = await TestProvider.start({ claimsFromUserinfo: true });
    const { code, code_verifier: verifier } = await provider.signIn(provider.addPerson());
    provider.disturb(({ url }, response) => {
      if (!url?.endsWith('/me')) return false;
      const other = { sub: 'other', email: 'canary@example.test', email_verified: true };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(other));
      return true;
    });
    const said = await faultOf(oursFor(provider).exchangeCode(code, verifier));
    expect(said).toContain('userinfo');
    expect(said).not.toContain('canary@');
    await provider.pause();
  });

  it('a fault of the keys is no verdict on the token', async () => {
    const provider = await TestProvider.start({ algorithm: 'EdDSA' });
    const ours = oursFor(provider);
    const subject = provider.addPerson();
    provider.disturb(({ url }, response) => {
      if (!url?.endsWith('/jwks')) return false;
      response.writeHead(503).end();
      return true;
    });
    expect(await faultOf(ours.verifyIdToken(await provider.idToken(subject)))).toContain('keys');
    provider.disturb(undefined);
    await expect(ours.verifyIdToken(await provider.idToken(subject))).resolves.toMatchObject({ subject });
    await provider.pause();
  });

  it('whoever answers in the place of the provider must know its keys', async () => {
    const [provider, impostor] = await Promise.all([TestProvider.start(), TestProvider.start()]);
    const subject = provider.addPerson();
    impostor.addPerson();
    const forged = await impostor.idToken(subject, {
      iss: provider.issuer,
      email: 'a@b.test',
      email_verified: true,
    });
    await expect(oursFor(provider).verifyIdToken(forged)).rejects.toBeInstanceOf(AppError);
    await expect(oursFor(provider).verifyIdToken(forged)).rejects.toMatchObject(refused);
    await Promise.all([provider.pause(), impostor.pause()]);
  });

  it('a silent provider is given up, and the caller gets 500', async () => {
    const provider = await TestProvider.start();
    const token = await provider.idToken(provider.addPerson());
    provider.disturb(() => true);
    expect(await faultOf(oursFor(provider).verifyIdToken(token))).toContain('discovery: operation timed out');
    await provider.pause();
  });

  it('no address of discovery leads elsewhere by a redirect', async () => {
    const provider = await TestProvider.start();
    let reached = 0;
    const elsewhere = createServer((_request, response) => {
      reached++;
      response.end('{}');
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
    provider.disturb((_request, response) => {
      response.writeHead(302, { location }).end();
      return true;
    });
    await faultOf(oursFor(provider).verifyIdToken('e30.e30.e30'));
    expect(reached).toBe(0);
    elsewhere.close();
    await provider.pause();
  });
});

function flip(text: string, index: number): string {
  return text.slice(0, index) + (text[index] === 'A' ? 'B' : 'A') + text.slice(index + 1);
}
