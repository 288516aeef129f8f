import { Example } from '../core/example.js';
import { EpochSeconds, Flag, IdOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { AppParams } from './app.js';

/** An authorization code of the provider, as its consent page redirects with it (RFC 6749, 4.1.2). */
export class Authorization {
  @Text({ min: 1, max: 1_024, description: 'The code in the query of the redirect.' }) code: string;
  @Text({ min: 1, max: 2_048, description: 'The redirect_uri of the authorization request, unchanged.' })
  redirect_uri: string;
  @Text({
    min: 1,
    max: 128,
    optional: true,
    description:
      'The state of the redirect, as `POST /v1/apps/{app_id}/oauth/start` gave it to this session. Send it: it proves that this session asked for the code (RFC 6749, 10.12).',
  })
  state?: string;
}

/** The same, with the vault in which a CRM app keeps its files. */
export class CrmAuthorization extends Authorization {
  @IdOf('vlt', { description: 'A vault of the account, for the files of all records.' }) vault_id: string;
}

/** A connected workspace (CHT-03). */
@Example({ team_name: 'Example Ltd.' })
export class ChatConnection {
  @Flag() installed: boolean;
  @Text({ max: 128 }) team_id: string;
  @Text({ max: 255 }) team_name: string;
  @IdOf('acc') account_id: string;
}

/** A connected portal of crma (OPEN-40). */
export class CrmaConnection {
  @Flag() installed: boolean;
  @Text({ max: 128 }) portal_id: string;
  @IdOf('acc') account_id: string;
  @IdOf('vlt') vault_id: string;
}

/** The secret of an org (OPEN-38). */
const SessionSecret = (options: { optional?: boolean }) =>
  Text({
    ...options,
    min: 43,
    max: 128,
    description: 'With this the org signs its sessions, HS256. It is shown once.',
  });

/** A connected org of crmb (OPEN-40). */
export class CrmbConnection {
  @Flag() installed: boolean;
  @Text({ max: 128 }) org_id: string;
  @IdOf('acc') account_id: string;
  @IdOf('vlt') vault_id: string;
  @SessionSecret({ optional: true }) session_secret?: string;
}

/** A new secret for the sessions of an org. The former one holds for 24 hours more. */
export class CrmbSessionSecret {
  @Text({ max: 128 }) org_id: string;
  @SessionSecret({}) session_secret: string;
  @EpochSeconds({ description: 'When the former secret ends.' }) former_ends_at: number;
}

/** Body of `startOAuth`. */
@Example({ redirect_uri: 'https://app.example.com/callback' })
export class OAuthStart {
  @Text({
    min: 1,
    max: 2_048,
    description: 'A redirect URI of the app at the provider, of your application.',
  })
  redirect_uri: string;
}

/** Where an admin authorizes the app, once and within ten minutes. */
@Example({
  authorize_url:
    'https://slack.com/oauth/v2/authorize?client_id=CLIENT_ID&redirect_uri=https%3A%2F%2Fapp.example.com%2Fcallback&state=STATE',
})
export class StartedOAuth {
  @Text({
    max: 8_192,
    description: 'The consent page of the provider. Open it in the browser of this session.',
  })
  authorize_url: string;
  @Text({
    max: 128,
    description: 'The state of the redirect. The callback accepts it once, from this session.',
  })
  state: string;
  @EpochSeconds() expires_at: number;
}

const access = { credential: 'session', role: 'admin' } as const;
const refusals = [
  'APP_STATE_REFUSED',
  'APP_GRANT_REFUSED',
  'APP_UNCONFIGURED',
  'APP_PROVIDER_UNAVAILABLE',
  'APP_REMOTE_TAKEN',
] as const;

/**
 * Starts an authorization: the state in its URL binds the code to the session that asked for it (RFC 6749, 10.12), so that nobody
 * can make an admin connect the workspace of somebody else.
 */
export const startOAuth = operation({
  name: 'integrations.start-oauth',
  summary:
    'Returns the consent page of an integration, with a state that the callback accepts from this session alone.',
  http: { method: 'POST', path: '/v1/apps/{app_id}/oauth/start', status: 200 },
  access,
  params: AppParams,
  unknown: 'VALIDATION_ERROR',
  body: OAuthStart,
  reply: StartedOAuth,
  errors: ['APP_NOT_FOUND', 'APP_UNCONFIGURED'],
});

/**
 * Connects a workspace of the chat app, or renews its connection (APP-18 to 22). VALIDATION_ERROR for a grant without a required
 * scope, or of a whole organization of workspaces (CHT-01, CHT-02). Not repeatable: a code can be exchanged once.
 */
export const connectChatapp = operation({
  name: 'integrations.connect-chatapp',
  summary:
    'Exchanges the authorization code of the chat app and installs it. Installed already, it is authorized again.',
  http: { method: 'POST', path: '/v1/apps/chatapp/oauth/callback', status: 200 },
  access,
  body: Authorization,
  reply: ChatConnection,
  errors: refusals,
});

/** Connects a portal of crma. It must be uninstalled before another connection (APP-22). */
export const connectCrma = operation({
  name: 'integrations.connect-crma',
  summary:
    'Exchanges the authorization code of crma and installs it for a vault. Installed already, it is refused.',
  http: { method: 'POST', path: '/v1/apps/crma/oauth/callback', status: 200 },
  access,
  body: CrmAuthorization,
  reply: CrmaConnection,
  errors: [...refusals, 'VAULT_NOT_FOUND', 'APP_INSTALLED'],
});

/** Connects an org of crmb, or renews its connection. A new connection answers with the secret of its sessions. */
export const connectCrmb = operation({
  name: 'integrations.connect-crmb',
  summary:
    'Exchanges the authorization code of crmb and installs it for a vault. Installed already, it is authorized again.',
  http: { method: 'POST', path: '/v1/apps/crmb/oauth/callback', status: 200 },
  access,
  body: CrmAuthorization,
  reply: CrmbConnection,
  errors: [...refusals, 'VAULT_NOT_FOUND'],
});

/** A disconnected workspace (CHT-04). */
export class ChatDisconnection {
  @Flag({ description: 'Always true.' }) uninstalled: boolean;
  @IdOf('acc') account_id: string;
  @Text({ max: 128, nullable: true, description: 'null: no workspace was connected.' }) team_id:
    | string
    | null;
}

/** A disconnected portal (OPEN-40). */
export class CrmaDisconnection {
  @Flag({ description: 'Always true.' }) uninstalled: boolean;
  @IdOf('acc') account_id: string;
  @Text({ max: 128, nullable: true, description: 'null: no portal was connected.' }) portal_id: string | null;
}

/** A disconnected org (OPEN-40). */
export class CrmbDisconnection {
  @Flag({ description: 'Always true.' }) uninstalled: boolean;
  @IdOf('acc') account_id: string;
  @Text({ max: 128, nullable: true, description: 'null: no org was connected.' }) org_id: string | null;
}

const uninstalling = { credential: 'key', role: 'admin' } as const;

/** Uninstalls the chat app and revokes its token (APP-23, AMB-25). */
export const disconnectChatapp = operation({
  name: 'integrations.disconnect-chatapp',
  summary:
    'Uninstalls the chat app and revokes its token. Secrets that are not yet viewed cannot be viewed any more.',
  http: { method: 'DELETE', path: '/v1/apps/chatapp/uninstall', status: 200 },
  access: uninstalling,
  reply: ChatDisconnection,
  errors: ['APP_NOT_INSTALLED', 'APP_REQUIRED'],
});

/** Uninstalls crma and revokes its token (APP-23, AMB-25). */
export const disconnectCrma = operation({
  name: 'integrations.disconnect-crma',
  summary: 'Uninstalls crma and revokes its token. The files stay in the vault.',
  http: { method: 'DELETE', path: '/v1/apps/crma/uninstall', status: 200 },
  access: uninstalling,
  reply: CrmaDisconnection,
  errors: ['APP_NOT_INSTALLED', 'APP_REQUIRED'],
});

/** Uninstalls crmb and revokes its token (APP-23, AMB-25). */
export const disconnectCrmb = operation({
  name: 'integrations.disconnect-crmb',
  summary: 'Uninstalls crmb and revokes its token. The files stay in the vault.',
  http: { method: 'DELETE', path: '/v1/apps/crmb/uninstall', status: 200 },
  access: uninstalling,
  reply: CrmbDisconnection,
  errors: ['APP_NOT_INSTALLED', 'APP_REQUIRED'],
});

/** Makes the next secret with which an org of crmb signs its sessions (OPEN-38). */
export const createCrmbSessionSecret = operation({
  name: 'integrations.create-crmb-session-secret',
  summary:
    'Makes a new secret for the sessions of the connected org of crmb. The former one holds for 24 hours more.',
  http: { method: 'POST', path: '/v1/apps/crmb/session-secret', status: 201 },
  idempotent: { id: 'org_id', secrets: ['session_secret'] },
  access: { credential: 'key', role: 'admin' },
  reply: CrmbSessionSecret,
  errors: ['APP_NOT_INSTALLED'],
});
