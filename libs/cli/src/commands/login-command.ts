import type { Command } from '../command-line/command.js';
import { CliError, UsageError } from '../failures.js';
import type { Invocation } from '../command-line/invocation.js';
import { apiOrigin } from '../api/api-origin.js';
import { readDeployment, type Deployment } from '../api/deployment.js';
import { deviceLogin } from '../api/device-login.js';

/** `vaultsvc login` */
export const loginCommand: Command = {
  name: 'login',
  summary: 'Stores an API key, or signs in through a browser on any device.',
  options: {
    url: { value: 'origin', summary: 'Origin of the API, such as https://api.example.com.' },
    'key-stdin': { summary: 'Read the API key from the standard input.' },
    device: { summary: 'Sign in as a person: confirm a code in a browser.' },
    issuer: { value: 'url', summary: 'With --device: the identity provider, if the API does not name it.' },
    'client-id': { value: 'id', summary: 'With --device: the client at the provider.' },
  },
  notes: [
    'The key is typed without echo. Credentials are kept in ~/.config/vaultsvc/config.json with mode 0600, and sent to\n' +
      'this API only.',
  ],
  examples: [
    ['Type the key', 'vaultsvc login --url https://api.example.com'],
    ['Pipe it', 'pass show vaultsvc | vaultsvc login --url https://api.example.com --key-stdin'],
    ['Sign in as a person', 'vaultsvc login --url https://api.example.com --device'],
  ],
  run: async (invocation) => {
    const { api, output, store } = invocation.context;
    const url = urlOf(invocation);
    const deployment = await readDeployment(api.anonymous(url));
    const credential = invocation.has('device')
      ? { session: await signIn(invocation, url, deployment?.sign_in) }
      : { api_key: await readKey(invocation) };
    // Before it is stored: a mistyped key must not replace a valid one.
    const { data: me } = await api.clientFor(url, credential).GET('/v1/me');
    await store.login(url, {
      ...credential,
      deployment: deployment && { origins: deployment.origins, limits: deployment.limits },
    });
    const { account, user } = me;
    const shown = { url, account_id: account?.account_id ?? null, user: user?.email ?? null };
    output.result(shown, '');
    output.note(`Logged in to ${account?.organization_name ?? url}${user ? ` as ${user.email}` : ''}.`);
  },
};

function urlOf(invocation: Invocation): string {
  const { environment, store } = invocation.context;
  const url = invocation.option('url') ?? environment.url ?? store.currentUrl;
  if (url === undefined) throw new UsageError('Name the API: --url https://api.example.com.');
  return apiOrigin(url);
}

async function readKey(invocation: Invocation): Promise<string> {
  const { terminal } = invocation.context;
  const isPiped = invocation.has('key-stdin');
  const key = isPiped
    ? await terminal.readInputLine()
    : (await terminal.askSecret('API key (not shown): ', 'Pipe the key and pass --key-stdin.')).trim();
  // Header values are ASCII; anything else was pasted by mistake.
  if (!/^[\x21-\x7e]+$/.test(key)) throw new UsageError('This is not an API key.');
  return key;
}

async function signIn(invocation: Invocation, url: string, named: Deployment['sign_in'] | undefined) {
  const { api, output, signal } = invocation.context;
  const provider = {
    issuer: invocation.option('issuer') ?? named?.issuer,
    clientId: invocation.option('client-id') ?? named?.client_id,
  };
  const token = await deviceLogin({ url, ...provider, signal }, ({ uri, code }) =>
    output.prompt(`Open ${uri} in a browser on any device, and enter ${code}.`),
  );
  const { data } = await api.anonymous(url).POST('/v1/auth/identity/verify', { body: { token } });
  const { access_token: accessToken, refresh_token: refreshToken } = data;
  if (refreshToken === undefined) throw new CliError('The API did not return a refresh token.');
  return { accessToken, refreshToken, issuedAt: Date.now() };
}
