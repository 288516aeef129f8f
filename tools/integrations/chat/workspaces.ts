import { randomBytes } from 'node:crypto';
import type { Fields } from '../fields.ts';
import { KeptMap } from '../kept-map.ts';
import { charactersOf, isAccepted } from '../workspace-id.ts';

/** The bot scopes that the app asks for (CHT-26). */
export const botScopes = [
  'commands',
  'chat:write',
  'chat:write.public',
  'channels:join',
  'users:read',
  'channels:read',
  'groups:read',
  'im:read',
  'im:history',
  'mpim:read',
];

export interface Workspace {
  id: string;
  name: string;
  botUserId: string;
  /** The bot token; empty once it was revoked. */
  token: string;
}

/** The workspaces that have installed the app, and their bot tokens. */
export class Workspaces {
  #byId: KeptMap<string, Workspace>;
  #ended: Set<string> = new Set();

  /** @param path of the file that keeps them */
  constructor(path?: string) {
    this.#byId = new KeptMap(path);
  }

  /**
   * Exchanges a code. `local-ok-grid…` is an installation for a whole organization, `local-ok-noscope…` one without `chat:write`.
   * @returns the body of `oauth.v2.access`
   */
  exchange(
    { client_id, client_secret, code, redirect_uri }: Fields,
    { clientId, clientSecret }: { clientId: string; clientSecret: string },
  ): object {
    if (client_id !== clientId) return { ok: false, error: 'invalid_client_id' };
    if (client_secret !== clientSecret) return { ok: false, error: 'bad_client_secret' };
    if (!redirect_uri) return { ok: false, error: 'bad_redirect_uri' };
    if (!isAccepted(code)) return { ok: false, error: 'invalid_code' };
    const workspace = this.#install(code);
    const isGrid = code.startsWith('local-ok-grid');
    const scopes = botScopes.filter(
      (scope) => scope !== 'chat:write' || !code.startsWith('local-ok-noscope'),
    );
    return {
      ok: true,
      access_token: workspace.token,
      token_type: 'bot',
      scope: scopes.join(','),
      bot_user_id: workspace.botUserId,
      app_id: 'A0LOCALAPP',
      team: isGrid ? null : { id: workspace.id, name: workspace.name },
      enterprise: isGrid ? { id: `E${charactersOf(code, 8)}`, name: 'Local organization' } : null,
      is_enterprise_install: isGrid,
      authed_user: { id: 'U0ADA' },
    };
  }

  /** Those with a token, the newest last. */
  list() {
    return [...this.#byId.values()].filter(({ token }) => token !== '').map(({ id, name }) => ({ id, name }));
  }

  of(token: string): Workspace | { error: string } {
    if (this.#ended.has(token)) return { error: 'token_revoked' };
    const found = [...this.#byId.values()].find((one) => one.token !== '' && one.token === token);
    return found ?? { error: token === '' ? 'not_authed' : 'invalid_auth' };
  }

  revoke(workspace: Workspace) {
    this.#ended.add(workspace.token);
    this.#byId.set(workspace.id, { ...workspace, token: '' });
  }

  uninstall(id: string) {
    const known = this.#byId.get(id);
    if (known && known.token !== '') this.revoke(known);
  }

  #install(code: string) {
    const id = `T${charactersOf(code, 9)}`;
    const known = this.#byId.get(id);
    // As at the provider, a workspace that installs again keeps its bot token.
    const token = known?.token || `xoxb-${randomBytes(18).toString('hex')}`;
    const workspace = {
      id,
      name: `Workspace ${code.slice(8).replace(/^-/, '') || 'local'}`,
      botUserId: `U${charactersOf(`bot ${code}`, 9)}`,
      token,
    };
    this.#byId.set(id, workspace);
    return workspace;
  }
}
