/**
 * An OpenID Connect provider for local stacks and tests only. It trusts any address that is entered, without a password
 * or a second factor. Never run it where others can reach it.
 *
 *   node provider.ts --state <file> --port <port> --api <origin> [--client-id vaultsvc-local] [--redirect-uri <url> …]
 *     [--trusted <issuer>]
 *
 * `--trusted` is the issuer that the API trusts, if that is another provider; the page redirects there.
 * It listens only on 127.0.0.1 and prints `identity listening on <issuer>` when it is ready.
 *   /.well-known/openid-configuration   discovery
 *   /signin                             a page that signs in at the API as a browser client does
 *   POST /token-for {email, name?, email_verified?}   → {id_token}, for scripts
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parseArgs } from 'node:util';
import { FOREIGN_HOST, isOwnHost } from '../stack/own-host.ts';
import { authorizationEndpoint, ProviderUnavailable } from './authorization-endpoint.ts';
import { sendJson, sendPage, type Handler } from './http.ts';
import { interaction } from './interaction.ts';
import { createProvider } from './oidc.ts';
import { errorPage } from './pages/error.ts';
import { sessionPage } from './pages/session.ts';
import { SignedInAccounts } from './accounts.ts';
import { openState } from './state.ts';
import { tokenFor } from './token-for.ts';

/** Longer than clients keep idle connections, so that they do not use one at the moment of its end. */
const KEEP_ALIVE_MS = 65_000;

const HOST = '127.0.0.1';
const OPTIONS = {
  state: { type: 'string' },
  port: { type: 'string' },
  api: { type: 'string' },
  'client-id': { type: 'string', default: 'vaultsvc-local' },
  'redirect-uri': { type: 'string', multiple: true, default: [] as string[] },
  trusted: { type: 'string' },
} as const;

const options = readOptions();
const issuer = `http://${HOST}:${options.port}`;
const handle = await prepare();
const server = createServer(
  { keepAliveTimeout: KEEP_ALIVE_MS },
  (request, response) => void handle(request, response),
);

for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0));
server.on('error', (error) => fail(`cannot listen on ${HOST}:${options.port}: ${error.message}`));
server.listen(options.port, HOST, () => process.stdout.write(`identity listening on ${issuer}\n`));

/** Prepares everything that can fail before the server listens. */
async function prepare(): Promise<Handler> {
  const state = await openState(options.state).catch((error: unknown) => fail(messageOf(error)));
  const accounts = new SignedInAccounts();
  const { clientId, redirectUris } = options;
  const provider = createProvider({ issuer, clientId, redirectUris, state, accounts });
  provider.on('server_error', (_, error) => process.stderr.write(`identity: ${error.stack}\n`));
  const formTargets = [...new Set(redirectUris.map((uri) => new URL(uri).origin))];
  const routes: Record<string, Handler> = {
    '/': (_, response) => void response.writeHead(302, { location: `${options.api}/app` }).end(),
    '/signin': signInPage(),
    '/token-for': tokenFor({ issuer, clientId, state }),
    '/favicon.ico': (_, response) => void response.writeHead(204).end(),
    '/interaction': interaction(provider, accounts, formTargets),
  };
  return route(new Map(Object.entries(routes)), provider.callback());
}

function signInPage(): Handler {
  const { clientId, trusted, api: apiOrigin } = options;
  const endpoint = authorizationEndpoint(trusted ?? issuer, issuer);
  return async (_, response) => {
    try {
      sendPage(response, 200, sessionPage({ issuer, clientId, apiOrigin, endpoint: await endpoint() }));
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error;
      sendPage(response, 502, errorPage(error.message));
    }
  };
}

function route(routes: Map<string, Handler>, rest: Handler): Handler {
  return async (request, response) => {
    try {
      if (!isOwnHost(request.headers.host))
        return sendJson(response, FOREIGN_HOST.status, { error: FOREIGN_HOST.text });
      // Another loopback name is another origin, for which the page's cookies and policy are wrong.
      if (request.headers.host !== new URL(issuer).host) return redirectToIssuer(request, response);
      const [path = ''] = (request.url ?? '').split('?');
      const name = path.startsWith('/interaction/') ? '/interaction' : path;
      await (routes.get(name) ?? rest)(request, response);
    } catch (error) {
      process.stderr.write(`identity: ${error instanceof Error ? error.stack : String(error)}\n`);
      if (!response.headersSent) sendJson(response, 500, { error: 'internal failure; see the log' });
    }
  };
}

function redirectToIssuer({ url = '/' }: IncomingMessage, response: ServerResponse) {
  const path = url.startsWith('/') ? url : '/';
  response.writeHead(308, { location: `${issuer}${path}` }).end();
}

function readOptions() {
  const values = attempt(() => parseArgs({ options: OPTIONS }).values);
  if (!values.state) fail('--state <file> is required: the file that keeps the keys');
  if (!/^\d{1,5}$/.test(values.port ?? '') || Number(values.port) < 1 || Number(values.port) > 65_535)
    fail('--port must be a number from 1 to 65535');
  const api = attempt(() => new URL(values.api ?? ''));
  if (api.href !== `${api.origin}/`)
    fail('--api must be the origin of the API, such as http://127.0.0.1:8080');
  const own = `http://${HOST}:${Number(values.port)}/signin`;
  return {
    state: values.state,
    port: Number(values.port),
    api: api.origin,
    clientId: values['client-id'],
    trusted: values.trusted,
    redirectUris: [...new Set([own, `${api.origin}/console/callback`, ...values['redirect-uri']])],
  };
}

/** Runs a step of the start and exits with one line on an error. */
function attempt<T>(step: () => T): T {
  try {
    return step();
  } catch (error) {
    return fail(messageOf(error));
  }
}

function messageOf(error: unknown) {
  return error instanceof Error ? error.message : String(error);
}

function fail(message: string): never {
  process.stderr.write(`identity: ${message}\n`);
  process.exit(1);
}
