import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportPKCS8, generateKeyPair, jwtVerify, type CryptoKey } from 'jose';

/** A purchase in Play's shape, or the status of a refusal. */
export type Purchase = object | 400 | 404 | 410 | 500;

/** A server that answers as Google's token endpoint and as the Play Developer API do. */
export interface GoogleServer {
  readonly origin: string;
  /** JSON key of the service account. */
  readonly account: string;
  /** Purchases by token. */
  readonly purchases: Map<string, Purchase>;
  /** Requests for an access token. */
  readonly tokenRequests: { readonly issuer: string; readonly scope: unknown }[];
  /** Paths of the requests to the API. */
  readonly asked: string[];
  stop(): Promise<void>;
}

const ACCESS_TOKEN = 'ya29.test';
const EMAIL = 'billing@example.iam.gserviceaccount.com';

export async function startGoogleServer(): Promise<GoogleServer> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const purchases = new Map<string, Purchase>();
  const tokenRequests: GoogleServer['tokenRequests'] = [];
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const answer = async () => {
      const { pathname } = new URL(request.url ?? '', 'http://google.test');
      if (pathname === '/token') {
        const form = new URLSearchParams(await text(request));
        tokenRequests.push(await verifiedAssertion(form, publicKey, `${originOf()}/token`));
        return send(200, { access_token: ACCESS_TOKEN, expires_in: 3_600, token_type: 'Bearer' });
      }
      asked.push(pathname);
      if (request.headers.authorization !== `Bearer ${ACCESS_TOKEN}`) return send(401, {});
      const [, token = ''] = /\/tokens\/([^/]+)$/.exec(pathname) ?? [];
      const purchase = purchases.get(decodeURIComponent(token)) ?? 404;
      return typeof purchase === 'number'
        ? send(purchase, { error: { code: purchase } })
        : send(200, purchase);
    };
    answer().catch(() => send(400, { error: 'invalid_grant' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const originOf = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin: originOf(),
    account: JSON.stringify({ client_email: EMAIL, private_key: await exportPKCS8(privateKey) }),
    purchases,
    tokenRequests,
    asked,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function verifiedAssertion(form: URLSearchParams, key: CryptoKey, audience: string) {
  const { payload } = await jwtVerify(form.get('assertion') ?? '', key, { audience, issuer: EMAIL });
  return { issuer: String(payload.iss), scope: payload['scope'] };
}
