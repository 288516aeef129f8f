import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { authorize, type ProvedCode } from '@vaultsvc/tools-testing/authorization';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';
import Provider, { type ClientMetadata, type Configuration, type SigningAlgorithm } from 'oidc-provider';
import { freePort } from '../../../../tools/stack/servers/ports.ts';

/** The claims of a user at the provider. */
export interface ProviderUser {
  readonly email?: string;
  readonly email_verified?: unknown;
  readonly name?: string;
}

export interface TestProviderOptions {
  /** Path of the issuer; '' for none. */
  readonly issuerPath?: string;
  readonly algorithm?: 'EdDSA' | 'ES256' | 'RS256';
  /** Makes the client confidential. */
  readonly clientSecret?: string;
  readonly authMethod?: 'client_secret_basic' | 'client_secret_post';
  /** Whether e-mail and name are returned by the userinfo endpoint alone. */
  readonly claimsFromUserinfo?: boolean;
}

const CLIENT_ID = 'vaultsvc-test';
/** On the origin of the API in the harness. */
export const CONSOLE_REDIRECT_URI = 'http://127.0.0.1:8080/console/callback';

/**
 * A real OpenID Connect provider (the `oidc-provider` package) on a port of its own, with auth as its only client. Users
 * are added with `addUser` and sign in without a page.
 */
export class TestProvider {
  readonly clientId = CLIENT_ID;
  readonly #users = new Map<string, ProviderUser>();
  #server: Server | undefined;
  /** Outside the range of ephemeral ports: it must still be free after a pause. */
  #port = 0;
  #key!: { readonly privateKey: CryptoKey; readonly jwk: JWK };
  #provider!: Provider;
  /** Responds instead of the provider when it returns true. */
  #interceptor: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;

  private constructor(private readonly options: TestProviderOptions) {}

  static async start(options: TestProviderOptions = {}): Promise<TestProvider> {
    const provider = new TestProvider(options);
    provider.#port = await freePort();
    await provider.resume();
    await provider.rotateKeys();
    return provider;
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.#port}${this.options.issuerPath ?? ''}`;
  }

  get redirectUri(): string {
    return `http://127.0.0.1:${this.#port}/signin`;
  }

  /** Settings with which auth uses this provider. */
  get settings(): Record<string, string> {
    return {
      OIDC_ISSUER: this.issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: this.options.clientSecret ?? '',
      OIDC_REDIRECT_URI: this.redirectUri,
    };
  }

  /** Adds a user with a verified address, or with these claims; returns the subject. */
  addUser(user: ProviderUser = {}): string {
    const subject = randomUUID();
    this.#users.set(subject, { email: `${subject}@example.test`, email_verified: true, ...user });
    return subject;
  }

  /** Changes the claims of a user. */
  changeUser(subject: string, user: ProviderUser): void {
    this.#users.set(subject, { ...this.#users.get(subject), ...user });
  }

  /** Replaces the signing key; the old one is no longer published. */
  async rotateKeys(): Promise<void> {
    const algorithm = this.options.algorithm ?? 'ES256';
    const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
    const jwk = { ...(await exportJWK(privateKey)), kid: randomUUID(), alg: algorithm, use: 'sig' };
    this.#key = { privateKey, jwk };
    this.#provider = new Provider(this.issuer, this.#configuration());
  }

  /** Signs in as a browser would: authorization request, a page without input, the redirect with the code. */
  signIn(subject: string, parameters: Record<string, string> = {}): Promise<ProvedCode> {
    const { issuer, clientId } = this;
    const { redirect_uri: redirectUri = this.redirectUri } = parameters;
    return authorize(
      { issuer, clientId, redirectUri },
      { parameters: { login_hint: subject, ...parameters } },
    );
  }

  /** An ID token of the provider, with these claims, header fields or key in place of its own. */
  async idToken(
    subject: string,
    claims: JWTPayload = {},
    header: Record<string, unknown> = {},
    key: CryptoKey | Uint8Array = this.#key.privateKey,
  ): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const own = {
      iss: this.issuer,
      aud: CLIENT_ID,
      sub: subject,
      iat: now,
      exp: now + 600,
      jti: randomUUID(),
    };
    const { kid, alg } = this.#key.jwk;
    return new SignJWT({ ...own, ...this.#users.get(subject), ...claims })
      .setProtectedHeader({ alg: alg as string, kid, ...header })
      .sign(key);
  }

  /** The current signing key as published. */
  get publicJwk(): JWK {
    const { d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...jwk } = this.#key.jwk;
    return jwk;
  }

  /** Lets this function respond instead of the provider when it returns true; undefined removes it. */
  intercept(
    interceptor: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined,
  ): void {
    this.#interceptor = interceptor;
  }

  /** Stops listening and closes all connections. */
  async pause(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = undefined;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  /** Listens again on the same port. */
  async resume(): Promise<void> {
    const server = createServer((request, response) => void this.#answer(request, response));
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#server = server;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#interceptor?.(request, response)) return;
    const path = this.options.issuerPath ?? '';
    const url = request.url ?? '';
    if (!url.startsWith(`${path}/`)) return void response.writeHead(404).end();
    const [, interaction] = /\/interaction\/([^/?]+)/.exec(url) ?? [];
    // The provider derives its mount path from `originalUrl`.
    Object.assign(request, { originalUrl: url, url: url.slice(path.length) });
    if (interaction) return this.#finish(request, response);
    await this.#provider.callback()(request, response);
  }

  /** The sign-in page: signs in the user of the login hint. */
  async #finish(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { params } = await this.#provider.interactionDetails(request, response);
    const login = { accountId: params.login_hint as string };
    await this.#provider.interactionFinished(request, response, { login });
  }

  #configuration(): Configuration {
    const path = this.options.issuerPath ?? '';
    return {
      clients: [this.#client()],
      jwks: { keys: [this.#key.jwk as never] },
      enabledJWA: { idTokenSigningAlgValues: ['EdDSA', 'ES256', 'RS256'] },
      clientAuthMethods: ['none', this.options.authMethod ?? 'client_secret_basic'],
      scopes: ['openid'],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      conformIdTokenClaims: this.options.claimsFromUserinfo ?? false,
      pkce: { required: () => true },
      ttl: {
        AccessToken: 600,
        AuthorizationCode: 60,
        Grant: 600,
        IdToken: 600,
        Interaction: 600,
        Session: 600,
      },
      cookies: { keys: ['test'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_ctx, { uid }) => `${path}/interaction/${uid}` },
      findAccount: (_ctx, sub) => {
        const user = this.#users.get(sub);
        return user && { accountId: sub, claims: () => ({ sub, ...user }) };
      },
      loadExistingGrant: async (ctx) => {
        const { client, session, provider } = ctx.oidc;
        const grant = new provider.Grant({ clientId: client?.clientId, accountId: session?.accountId });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    };
  }

  #client(): ClientMetadata {
    const { clientSecret, authMethod = 'client_secret_basic', algorithm = 'ES256' } = this.options;
    return {
      client_id: CLIENT_ID,
      redirect_uris: [this.redirectUri, CONSOLE_REDIRECT_URI],
      response_types: ['code'],
      grant_types: ['authorization_code'],
      id_token_signed_response_alg: algorithm as SigningAlgorithm,
      token_endpoint_auth_method: clientSecret ? authMethod : 'none',
      ...(clientSecret && { client_secret: clientSecret }),
    };
  }
}
