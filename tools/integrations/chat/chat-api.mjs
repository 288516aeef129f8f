import { randomUUID } from 'node:crypto';
import { FakeServer } from '../fake-server.mjs';
import { conversations, people, WorkspaceState } from './conversations.mjs';
import { pageRoutes } from '../pages/pages.mjs';
import { Workspaces } from './workspaces.mjs';

/** @typedef {import('./workspaces.mjs').Workspace} Workspace */
/** @typedef {import('../fake-server.mjs').ProviderCall} ProviderCall */
/** @typedef {(state: WorkspaceState, given: Record<string, any>, workspace: Workspace) => object} Method */

/** The methods of the Web API that the app uses, by name. */
const methods = /** @type {Record<string, Method>} */ ({
  'auth.test': (_, __, { id, name, botUserId }) => ({
    ok: true,
    team: name,
    team_id: id,
    user_id: botUserId,
  }),
  'views.open': (state, given) => state.openView(given),
  'views.update': (state, given) => state.updateView(given),
  'views.publish': (state, given) => state.publish(given),
  'chat.postMessage': (state, given) => state.post(given),
  'chat.update': (state, given) => state.update(given),
  'conversations.join': (state, given) => state.join(given),
  'users.info': (_, { user }) =>
    user in people
      ? { ok: true, user: { id: user, name: people[/** @type {keyof typeof people} */ (user)] } }
      : { ok: false, error: 'user_not_found' },
});

/** The kind of each conversation. */
const kinds = Object.fromEntries(Object.entries(conversations).map(([id, { kind }]) => [id, kind]));

/** The person who writes commands unless the request names another one. */
const ada = { user_id: 'U0ADA', user_name: 'ada', channel_id: 'C0GENERAL' };

/** The chat platform with the conventions of Slack: errors are `{ ok: false, error }` with status 200. */
export class ChatProvider extends FakeServer {
  /** @type {Map<string, WorkspaceState>} */
  #states = new Map();

  /**
   * @param {{ clientId: string, clientSecret: string }} client the credentials of the app
   * @param {import('../acting.mjs').ActingChat} [acting] sends webhooks to our API: `POST /_send/…`
   * @param {string} [path] of the file that keeps its workspaces
   */
  constructor(client, acting, path) {
    const workspaces = new Workspaces(path);
    /** @type {(run: Method) => import('../fake-server.mjs').Route} */
    const authorized = (run) => (call) => {
      const workspace = workspaces.of(call.token);
      if ('error' in workspace) return { body: { ok: false, ...workspace } };
      return { body: run(this.workspace(workspace.id), decoded(call.body), workspace) };
    };
    super(
      new Map([
        ['POST /api/oauth.v2.access', (call) => ({ body: workspaces.exchange(call.body, client) })],
        [
          'POST /api/auth.revoke',
          authorized((_, __, workspace) => {
            workspaces.revoke(workspace);
            return { ok: true, revoked: true };
          }),
        ],
        ...Object.entries(methods).map(
          ([name, run]) =>
            /** @type {[string, import('../fake-server.mjs').Route]} */ ([
              `POST /api/${name}`,
              authorized(run),
            ]),
        ),
      ]),
    );
    this.addRoutes(
      new Map([
        ['GET /_workspaces', () => ({ body: workspaces.list() })],
        ['GET /_people', () => ({ body: { people, conversations: kinds } })],
      ]),
    );
    if (acting) this.addRoutes(this.#sending(acting)).addRoutes(pageRoutes('chat', acting.apiUrl));
  }

  /**
   * `POST /_send/command`, `/_send/interaction` and `/_send/event` with `{"team_id": …}` and what differs from a usual request;
   * `GET /_state?team_id=…` shows what the workspace then has.
   * @param {import('../acting.mjs').ActingChat} acting
   * @returns {Map<string, import('../fake-server.mjs').Route>}
   */
  #sending(acting) {
    const trigger = (/** @type {string} */ team) => this.workspace(team).newTrigger();
    return new Map([
      [
        'POST /_send/command',
        async ({ body: { team_id, ...rest } }) => ({
          body: await acting.command({ ...ada, team_id, text: '', trigger_id: trigger(team_id), ...rest }),
        }),
      ],
      [
        'POST /_send/interaction',
        async ({ body: { team_id, ...rest } }) => ({
          body: await acting.interaction({
            team: { id: team_id },
            user: { id: ada.user_id, name: ada.user_name },
            trigger_id: trigger(team_id),
            ...rest,
          }),
        }),
      ],
      [
        'POST /_send/event',
        async ({ body }) => ({
          body: await acting.event({ type: 'event_callback', event_id: `Ev${randomUUID()}`, ...body }),
        }),
      ],
      [
        'GET /_state',
        ({ query: { team_id = '' } }) => {
          const { views, messages } = this.workspace(team_id);
          return { body: { views: [...views.values()], messages: [...messages.values()] } };
        },
      ],
    ]);
  }

  /**
   * Views and messages of a workspace.
   * @param {string} id
   */
  workspace(id) {
    const state = this.#states.get(id) ?? new WorkspaceState();
    this.#states.set(id, state);
    return state;
  }
}

/**
 * Forms have objects as JSON.
 * @param {Record<string, any>} body
 */
function decoded(body) {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      typeof value === 'string' && /^[[{]/.test(value) ? JSON.parse(value) : value,
    ]),
  );
}

/**
 * @param {{ clientId: string, clientSecret: string }} client the credentials of the app
 * @param {import('../acting.mjs').ActingChat} [acting]
 * @param {string} [path] of the file that keeps its workspaces
 */
export const chatProvider = (client, acting, path) => new ChatProvider(client, acting, path);
