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
import { CONSOLE_REDIRECT_URI, TestProvider } from '../testing/test-provider.js';
import { IdentityProvider } from './identity-provider.js';

function identityProviderFor(provider: TestProvider, overrides: Partial<AuthConfig> = {}): IdentityProvider {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET = '', OIDC_REDIRECT_URI } = provider.settings;
  const config = Object.assign(new AuthConfig(), {
    PROFILE: 'local',
    ...{ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_REDIRECT_URI },
    API_ORIGIN: new URL(CONSOLE_REDIRECT_URI).origin,
    OIDC_CLIENT_SECRET: new Secret(OIDC_CLIENT_SECRET),
    ...overrides,
  });
  return new IdentityProvider(config);
}

const refused = { reason: 'IDENTITY_REFUSED', code: 'UNAUTHORIZED', status: 401 };
const unverified = { reason: 'EMAIL_NOT_VERIFIED', code: 'UNAUTHORIZED', status: 401 };

/** Expects 500 for the caller and returns the entry of the log. */
async function providerFaultOf(attempt: Promise<unknown>): Promise<string> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ reason: 'INTERNAL_ERROR', cause: { name: 'ProviderFault' } });
  return JSON.stringify(describeError(error));
}

describe.each(deployments)('IdentityProvider with a %s', (_deployment, options) => {
  let provider: TestProvider;
  let identityProvider: IdentityProvider;
  let attacker: GenerateKeyPairResult;

  beforeAll(async () => {
    provider = await TestProvider.start(options);
    identityProvider = identityProviderFor(provider);
    attacker = await generateKeyPair(options.algorithm ?? 'ES256');
  });
  afterEach(() => provider.intercept(undefined));
  afterAll(() => provider.pause());

  const exchange = async (subject: string, parameters?: Record<string, string>) => {
    const { code, code_verifier: verifier } = await provider.signIn(subject, parameters);
    return identityProvider.exchangeCode(code, verifier);
  };

  it('AUTH-04 OPEN-47: exchanges a code and its verifier for the identity of the user', async () => {
    const subject = provider.addUser({ name: 'Zoe\u0308 ' });
    const email = `${subject}@example.test`;
    expect(await exchange(subject)).toEqual({ issuer: provider.issuer, subject, email, name: 'Zo\u00eb' });
  });

  it('OPEN-65: exchanges a code of the console with the redirect URI of the console, and no other code', async () => {
    const subject = provider.addUser();
    const client = await identityProvider.signInClient();
    expect(client).toEqual({
      issuer: provider.issuer,
      authorization_endpoint: `${provider.issuer}/auth`,
      client_id: provider.clientId,
      redirect_uri: CONSOLE_REDIRECT_URI,
    });
    const codeFor = (redirect_uri: string) => provider.signIn(subject, { redirect_uri });
    const ofConsole = await codeFor(client.redirect_uri);
    expect(
      await identityProvider.exchangeCode(ofConsole.code, ofConsole.code_verifier, 'console'),
    ).toMatchObject({ subject });
    for (const [redirectUri, receiver] of [
      [client.redirect_uri, undefined],
      [provider.redirectUri, 'console'],
    ] as const) {
      const { code, code_verifier: verifier } = await codeFor(redirectUri);
      await expect(identityProvider.exchangeCode(code, verifier, receiver)).rejects.toMatchObject(refused);
    }
  });

  it('AUTH-08: verifies an ID token of the provider', async () => {
    const subject = provider.addUser({ name: 'Ann' });
    expect(await identityProvider.verifyIdToken(await provider.idToken(subject))).toEqual({
      issuer: provider.issuer,
      subject,
      email: `${subject}@example.test`,
      name: 'Ann',
    });
  });

  it('AUTH-04: leaves state and nonce to the client that started the sign-in', async () => {
    const subject = provider.addUser();
    await expect(exchange(subject, { state: 'any', nonce: 'any' })).resolves.toMatchObject({ subject });
  });

  it('AUTH-04: refuses a code with the wrong verifier', async () => {
    const { code, code_verifier: verifier } = await provider.signIn(provider.addUser());
    await expect(identityProvider.exchangeCode(code, 'x'.repeat(43))).rejects.toMatchObject(refused);
    const another = await provider.signIn(provider.addUser());
    await expect(identityProvider.exchangeCode(another.code, verifier)).rejects.toMatchObject(refused);
  });

  it('AUTH-04: exchanges a code once', async () => {
    const { code, code_verifier: verifier } = await provider.signIn(provider.addUser());
    await identityProvider.exchangeCode(code, verifier);
    await expect(identityProvider.exchangeCode(code, verifier)).rejects.toMatchObject(refused);
  });

  it('AUTH-04: refuses a code that the provider did not issue', async () => {
    for (const code of ['x', 'x'.repeat(512), 'a&client_id=b', '\u{1f600}', '%00'])
      await expect(identityProvider.exchangeCode(code, 'x'.repeat(43))).rejects.toMatchObject(refused);
  });

  it('OPEN-47: accepts a rotated key at once, and refuses the old one', async () => {
    const subject = provider.addUser();
    const old = await provider.idToken(subject);
    await identityProvider.verifyIdToken(old);
    await provider.rotateKeys();
    await expect(exchange(subject)).resolves.toMatchObject({ subject });
    await expect(identityProvider.verifyIdToken(await provider.idToken(subject))).resolves.toMatchObject({
      subject,
    });
    await expect(identityProvider.verifyIdToken(old)).rejects.toMatchObject(refused);
    await provider.rotateKeys();
    await expect(identityProvider.verifyIdToken(await provider.idToken(subject))).resolves.toMatchObject({
      subject,
    });
  });

  it('OPEN-47: fetches the keys three times at most for a hundred tokens with an unknown key', async () => {
    const header = { kid: 'made-up' };
    const token = await provider.idToken(provider.addUser(), {}, header, attacker.privateKey);
    let fetches = 0;
    provider.intercept(({ url }) => {
      if (url?.endsWith('/jwks')) fetches++;
      return false;
    });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, () => identityProvider.verifyIdToken(token)),
    );
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: refused });
    expect(fetches).toBeLessThanOrEqual(3);
  });

  describe('OPEN-59: an address that is not verified', () => {
    const unverifiedClaims: Record<string, Record<string, unknown>> = {
      false: { email_verified: false },
      'the string "true"': { email_verified: 'true' },
      'the number 1': { email_verified: 1 },
      null: { email_verified: null },
      missing: { email_verified: undefined },
      'true, but the address is missing': { email: undefined },
      'true, but the address is invalid': { email: 'ann' },
      'true, but there are two addresses': { email: 'a@b.test,c@d.test' },
      'true, but the address has a line break': { email: 'ann@example.test\n' },
    };

    it.each(Object.keys(unverifiedClaims))('is refused: email_verified is %s', async (emailVerified) => {
      const subject = provider.addUser(unverifiedClaims[emailVerified]);
      await expect(exchange(subject)).rejects.toMatchObject(unverified);
      await expect(identityProvider.verifyIdToken(await provider.idToken(subject))).rejects.toMatchObject(
        unverified,
      );
    });
  });

  it('drops a name that cannot be displayed, and accepts the user', async () => {
    for (const name of ['', ' \t', 'x'.repeat(256), 'a\u202eb', 'a\nb', 7]) {
      const subject = provider.addUser({ name: name as string });
      await expect(exchange(subject)).resolves.toMatchObject({ subject, name: null });
    }
  });

  describe('AUTH-08 OPEN-47: verifying an ID token', () => {
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
      'an unknown kid': foreign(() => ({ kid: 'unknown' })),
      'no kid, another key': foreign(() => ({ kid: undefined })),
      'keys at a URL in its own header': foreign(() => ({ kid: 'own', jku: 'http://127.0.0.1:1/jwks' })),
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
      'the issuer with a trailing slash': claims(() => ({ iss: `${provider.issuer}/` })),
      'no issuer': claims(() => ({ iss: undefined })),
      'expired six seconds ago': claims(() => ({ exp: now() - 6 })),
      'no expiry': claims(() => ({ exp: undefined })),
      'an expiry that is a string': claims(() => ({ exp: '9999999999' as never })),
      'no time of issue': claims(() => ({ iat: undefined })),
      'issued a minute in the future': claims(() => ({ iat: now() + 60 })),
      'not valid before the next minute': claims(() => ({ nbf: now() + 60 })),
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
      'five parts, like an encrypted token': parts((all) => [...all, 'x', 'x']),
      'not a token': async () => 'token',
      'dots only': async () => '..',
      'an unreadable header': async () => '\u{1f600}.e30.e30',
    };

    it.each(Object.keys(forgeries))('refuses a forged token: %s', async (forgery) => {
      const forged = await (forgeries[forgery] as Forgery)(provider.addUser());
      await expect(identityProvider.verifyIdToken(forged)).rejects.toMatchObject(refused);
    });

    it('accepts a clock difference within the tolerance of five seconds', async () => {
      const subject = provider.addUser();
      const verified = async (change: () => JWTPayload) =>
        identityProvider.verifyIdToken(await provider.idToken(subject, change())).catch(() => null);
      // A verification of less than a second ends in the same second or the next.
      expect(await repeatUntilFasterThan(1, () => verified(() => ({ exp: now() - 3 })))).toMatchObject({
        subject,
      });
      expect(await verified(() => ({ iat: now() + 4 }))).toMatchObject({ subject });
    });

    it('accepts a list of audiences, an authorized party, a nonce and a subject of 255 characters', async () => {
      const subject = provider.addUser();
      const passing: JWTPayload[] = [
        { aud: [provider.clientId] },
        { aud: [provider.clientId, 'other'], azp: provider.clientId },
        { nonce: 'any' },
      ];
      for (const change of passing)
        await expect(
          identityProvider.verifyIdToken(await provider.idToken(subject, change)),
        ).resolves.toBeDefined();
      const longest = provider.addUser();
      const token = await provider.idToken(longest, { sub: 'x'.repeat(255) });
      await expect(identityProvider.verifyIdToken(token)).resolves.toMatchObject({
        subject: 'x'.repeat(255),
      });
    });
  });

  describe('OPEN-47: a fault of the provider', () => {
    it('is answered with 500 while the provider is down, and the next sign-in succeeds', async () => {
      const uncached = identityProviderFor(provider);
      const subject = provider.addUser();
      const token = await provider.idToken(subject);
      const { code, code_verifier: verifier } = await provider.signIn(subject);
      await provider.pause();
      try {
        expect(await providerFaultOf(uncached.verifyIdToken(token))).toContain('discovery');
        // A pooled connection may be used before its end is noticed.
        const connectionError = /ECONNREFUSED|ECONNRESET|EPIPE|UND_ERR_SOCKET/;
        expect(await providerFaultOf(identityProvider.exchangeCode(code, verifier))).toMatch(connectionError);
      } finally {
        await provider.resume();
      }
      await expect(uncached.verifyIdToken(token)).resolves.toMatchObject({ subject });
      await expect(identityProvider.exchangeCode(code, verifier)).resolves.toMatchObject({ subject });
    });

    const faultyResponses: Record<
      string,
      readonly [path: string, status: number, type: string, body: string]
    > = {
      'an HTML page as discovery document': [
        '/.well-known/openid-configuration',
        200,
        'text/html',
        '<h1>Hello</h1>',
      ],
      'discovery without an issuer': ['/.well-known/openid-configuration', 200, 'application/json', '{}'],
      'discovery of another issuer': [
        '/.well-known/openid-configuration',
        200,
        'application/json',
        '{"issuer":"https://issuer.example","jwks_uri":"https://issuer.example/jwks"}',
      ],
      'discovery with status 503': ['/.well-known/openid-configuration', 503, 'application/json', '{}'],
      'token endpoint with status 500': ['/token', 500, 'application/json', '{"error":"server_error"}'],
      'an HTML page as token response': ['/token', 200, 'text/html', 'canary-4711'],
      'a truncated token response': ['/token', 200, 'application/json', '{"access_token":"canary-4711'],
      'a token response without an ID token': [
        '/token',
        200,
        'application/json',
        '{"access_token":"canary-4711","token_type":"bearer"}',
      ],
      'a token response with a forged ID token': [
        '/token',
        200,
        'application/json',
        '{"access_token":"canary-4711","token_type":"bearer","id_token":"e30.e30.canary-4711"}',
      ],
      'a redirect of the token endpoint': ['/token', 307, 'text/plain', ''],
      'an HTML page as key set': ['/jwks', 200, 'text/html', '<h1>Hello</h1>'],
      'an invalid key set': ['/jwks', 200, 'application/json', '{"keys":"canary-4711"}'],
    };

    it.each(Object.keys(faultyResponses))(
      'is answered with 500 and logged without a token: %s',
      async (fault) => {
        const [path, status, type, body] = faultyResponses[fault] as (typeof faultyResponses)[string];
        const { code, code_verifier: verifier } = await provider.signIn(provider.addUser());
        provider.intercept(({ url }, response) => {
          if (!url?.endsWith(path)) return false;
          response.writeHead(status, { 'content-type': type, location: 'http://127.0.0.1:1/' }).end(body);
          return true;
        });
        const logged = await providerFaultOf(identityProviderFor(provider).exchangeCode(code, verifier));
        for (const secret of ['canary-4711', code, verifier, CLIENT_SECRET])
          expect(logged).not.toContain(secret);
      },
    );

    it('is logged with the first 200 characters of its description', async () => {
      const { code, code_verifier: verifier } = await provider.signIn(provider.addUser());
      const answer = { error: 'unauthorized_client', error_description: 'd'.repeat(300) };
      provider.intercept(({ url }, response) => {
        if (!url?.endsWith('/token')) return false;
        response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
        return true;
      });
      const logged = await providerFaultOf(identityProviderFor(provider).exchangeCode(code, verifier));
      expect(logged).toMatch(/ 400 unauthorized_client d{200}(?!d)/);
    });

    it('is answered with 500 and logged as invalid_client for an unknown client', async () => {
      const { code, code_verifier: verifier } = await provider.signIn(provider.addUser());
      const unknownClient = identityProviderFor(provider, { OIDC_CLIENT_ID: 'unknown-client' });
      expect(await providerFaultOf(unknownClient.exchangeCode(code, verifier))).toContain('invalid_client');
    });

    it('is raised by plain HTTP to another host or outside the local profile', async () => {
      const token = await provider.idToken(provider.addUser());
      const attempt = (overrides: Partial<AuthConfig>) =>
        identityProviderFor(provider, overrides).verifyIdToken(token);
      expect(await providerFaultOf(attempt({ PROFILE: 'production' }))).toMatch(/https/i);
      expect(await providerFaultOf(attempt({ OIDC_ISSUER: 'http://issuer.example' }))).toContain(
        'over https',
      );
    });
  });
});

describe('OPEN-47: IdentityProvider', () => {
  it('sends the client secret in the body if the provider accepts it only there', async () => {
    const provider = await TestProvider.start({
      clientSecret: CLIENT_SECRET,
      authMethod: 'client_secret_post',
    });
    const subject = provider.addUser();
    const { code, code_verifier: verifier } = await provider.signIn(subject);
    await expect(identityProviderFor(provider).exchangeCode(code, verifier)).resolves.toMatchObject({
      subject,
    });
    await provider.pause();
  });

  it('answers 500 for a wrong client secret and logs invalid_client', async () => {
    const provider = await TestProvider.start({ clientSecret: CLIENT_SECRET });
    const { code, code_verifier: verifier } = await provider.signIn(provider.addUser());
    const identityProvider = identityProviderFor(provider, { OIDC_CLIENT_SECRET: new Secret('wrong') });
    expect(await providerFaultOf(identityProvider.exchangeCode(code, verifier))).toContain('invalid_client');
    await provider.pause();
  });

  it('answers 500 when userinfo describes another subject', async () => {
    const provider = await TestProvider.start({ claimsFromUserinfo: true });
    const { code, code_verifier: verifier } = await provider.signIn(provider.addUser());
    provider.intercept(({ url }, response) => {
      if (!url?.endsWith('/me')) return false;
      const other = { sub: 'other', email: 'canary@example.test', email_verified: true };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(other));
      return true;
    });
    const logged = await providerFaultOf(identityProviderFor(provider).exchangeCode(code, verifier));
    expect(logged).toContain('userinfo');
    expect(logged).not.toContain('canary@');
    await provider.pause();
  });

  it('answers 500 when the keys cannot be fetched, and verifies the token afterwards', async () => {
    const provider = await TestProvider.start({ algorithm: 'EdDSA' });
    const identityProvider = identityProviderFor(provider);
    const subject = provider.addUser();
    provider.intercept(({ url }, response) => {
      if (!url?.endsWith('/jwks')) return false;
      response.writeHead(503).end();
      return true;
    });
    expect(await providerFaultOf(identityProvider.verifyIdToken(await provider.idToken(subject)))).toContain(
      'keys',
    );
    provider.intercept(undefined);
    await expect(identityProvider.verifyIdToken(await provider.idToken(subject))).resolves.toMatchObject({
      subject,
    });
    await provider.pause();
  });

  it('refuses a token that an impostor signed with its own key', async () => {
    const [provider, impostor] = await Promise.all([TestProvider.start(), TestProvider.start()]);
    const subject = provider.addUser();
    impostor.addUser();
    const forged = await impostor.idToken(subject, {
      iss: provider.issuer,
      email: 'a@b.test',
      email_verified: true,
    });
    await expect(identityProviderFor(provider).verifyIdToken(forged)).rejects.toBeInstanceOf(AppError);
    await expect(identityProviderFor(provider).verifyIdToken(forged)).rejects.toMatchObject(refused);
    await Promise.all([provider.pause(), impostor.pause()]);
  });

  it('answers 500 when the provider does not respond in time', async () => {
    const provider = await TestProvider.start();
    const token = await provider.idToken(provider.addUser());
    provider.intercept(() => true);
    expect(await providerFaultOf(identityProviderFor(provider).verifyIdToken(token))).toContain(
      'discovery: operation timed out',
    );
    await provider.pause();
  });

  it('follows no redirect of discovery', async () => {
    const provider = await TestProvider.start();
    let reached = 0;
    const redirectTarget = createServer((_request, response) => {
      reached++;
      response.end('{}');
    });
    await new Promise<void>((resolve) => redirectTarget.listen(0, '127.0.0.1', resolve));
    const location = `http://127.0.0.1:${(redirectTarget.address() as AddressInfo).port}/`;
    provider.intercept((_request, response) => {
      response.writeHead(302, { location }).end();
      return true;
    });
    await providerFaultOf(identityProviderFor(provider).verifyIdToken('e30.e30.e30'));
    expect(reached).toBe(0);
    redirectTarget.close();
    await provider.pause();
  });
});

function flip(text: string, index: number): string {
  return text.slice(0, index) + (text[index] === 'A' ? 'B' : 'A') + text.slice(index + 1);
}
