import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { identityPlan } from '../../stack/servers/identity.ts';
import { freePort } from '../../stack/servers/ports.ts';
import { Server } from '../../stack/servers/server.ts';
import { sharedServersOfRun } from '../../test/servers.ts';
import { identityAt, type IdentityClient } from './identity-client.js';

const CLIENT_ID = 'vaultsvc-test';

/** The local stack's identity provider, as a process of one spec file. Stop it in `afterAll`. */
export interface TestIdentity extends IdentityClient {
  /** Settings with which auth trusts the provider. */
  readonly settings: Readonly<Record<'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_REDIRECT_URI', string>>;
  stop(): Promise<void>;
}

export async function startIdentity(): Promise<TestIdentity> {
  const { dir } = sharedServersOfRun();
  const home = join(dir, `identity-${randomBytes(4).toString('hex')}`);
  mkdirSync(home);
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const redirectUri = `${issuer}/signin`;
  const server = await new Server(
    identityPlan({
      port,
      redirectUri,
      clientId: CLIENT_ID,
      trusted: issuer,
      apiOrigin: 'http://127.0.0.1:8080',
      dataDir: join(home, 'data'),
      logPath: join(home, 'log'),
      childrenDir: join(dir, 'children'),
    }),
  ).start();
  return {
    ...identityAt({ issuer, clientId: CLIENT_ID, redirectUri }),
    settings: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT_ID, OIDC_REDIRECT_URI: redirectUri },
    stop: () => server.stop(),
  };
}
