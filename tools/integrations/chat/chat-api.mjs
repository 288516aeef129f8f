import { FakeServer } from '../fake-server.mjs';
import { Workspaces } from './workspaces.mjs';

/**
 * The chat platform with the conventions of Slack: errors are `{ ok: false, error }` with status 200.
 * @param {{ clientId: string, clientSecret: string }} client the credentials of the app
 */
export function chatProvider(client) {
  const workspaces = new Workspaces();
  /** @type {(run: (workspace: import('./workspaces.mjs').Workspace, call: import('../fake-server.mjs').ProviderCall) => object) => import('../fake-server.mjs').Route} */
  const authorized = (run) => (call) => {
    const workspace = workspaces.of(call.token);
    return { body: 'error' in workspace ? { ok: false, ...workspace } : run(workspace, call) };
  };
  return new FakeServer(
    new Map([
      ['POST /api/oauth.v2.access', (call) => ({ body: workspaces.exchange(call.body, client) })],
      [
        'POST /api/auth.revoke',
        authorized((workspace) => {
          workspaces.revoke(workspace);
          return { ok: true, revoked: true };
        }),
      ],
      [
        'POST /api/auth.test',
        authorized(({ id, name, botUserId }) => ({ ok: true, team: name, team_id: id, user_id: botUserId })),
      ],
    ]),
  );
}
