import { randomUUID } from 'node:crypto';
import type { ActingChat } from '../acting.ts';
import { consent } from '../consent.ts';
import { FakeServer, type Route } from '../fake-server.ts';
import { fieldsOf, itemsOf, textOf, type Fields } from '../fields.ts';
import { conversations, PARTNER_TEAM, people, strangers, WorkspaceState } from './conversations.ts';
import { pageRoutes } from '../pages/pages.ts';
import { botScopes, Workspaces, type Workspace } from './workspaces.ts';

type Method = (state: WorkspaceState, given: Fields, workspace: Workspace) => object;

/** The methods of the Web API that the app uses, by name. */
const methods: Readonly<Record<string, Method>> = {
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
  'conversations.info': (state, given) => state.info(given),
  'conversations.open': (state, given) =>
    botScopes.includes('im:write')
      ? state.open(given)
      : { ok: false, error: 'missing_scope', needed: 'im:write', provided: botScopes.join(',') },
  'users.info': (_, { user }, { id }) => infoOf(textOf(user), id),
};

/** People of the workspace, and those of its shared channels. */
function infoOf(user: string, team_id: string) {
  const [own, other] = [people[user], strangers[user]];
  if (own) return { ok: true, user: { id: user, team_id, name: own } };
  if (!other) return { ok: false, error: 'user_not_found' };
  return { ok: true, user: { id: user, team_id: PARTNER_TEAM, name: other, is_stranger: true } };
}

/** The kind of each conversation. */
const kinds = Object.fromEntries(Object.entries(conversations).map(([id, { kind }]) => [id, kind]));

/** Names of the direct messages between two people. */
const betweenPeople = { D0ADABOB: 'ada and bob' };

/** The person who writes commands unless the request names another one. */
const ada = { user_id: 'U0ADA', user_name: 'ada', channel_id: 'C0GENERAL' };

/** The chat platform with the conventions of Slack: errors are `{ ok: false, error }` with status 200. */
export class ChatProvider extends FakeServer {
  #states: Map<string, WorkspaceState> = new Map();
  #workspaces;

  /**
   * @param client the credentials of the app
   * @param acting sends webhooks to our API: `POST /_send/…`
   * @param path of the file that keeps its workspaces
   */
  constructor(client: { clientId: string; clientSecret: string }, acting?: ActingChat, path?: string) {
    const workspaces = new Workspaces(path);
    const authorized: (run: Method) => Route = (run) => (call) => {
      const workspace = workspaces.of(call.token);
      if ('error' in workspace) return { body: { ok: false, ...workspace } };
      return { body: run(this.workspace(workspace.id), decoded(call.body), workspace) };
    };
    super(
      new Map<string, Route>([
        ['GET /oauth/v2/authorize', consent],
        ['POST /api/oauth.v2.access', (call) => ({ body: workspaces.exchange(call.body, client) })],
        [
          'POST /api/auth.revoke',
          authorized((_, __, workspace) => {
            workspaces.revoke(workspace);
            return { ok: true, revoked: true };
          }),
        ],
        ...Object.entries(methods).map(([name, run]): [string, Route] => [
          `POST /api/${name}`,
          authorized(run),
        ]),
      ]),
    );
    this.#workspaces = workspaces;
    this.addRoutes(
      new Map<string, Route>([
        ['GET /_workspaces', () => ({ body: workspaces.list() })],
        [
          'GET /_people',
          () => ({ body: { people: { ...people, ...strangers }, conversations: kinds, betweenPeople } }),
        ],
      ]),
    );
    if (acting) this.addRoutes(this.#sending(acting)).addRoutes(pageRoutes('chat', acting.apiUrl));
  }

  /**
   * `POST /_send/command`, `/_send/interaction` and `/_send/event` with `{"team_id": …}` and what differs from a usual request;
   * `GET /_state?team_id=…` shows what the workspace then has.
   */
  #sending(acting: ActingChat): Map<string, Route> {
    const trigger = (team: string) => this.workspace(team).newTrigger();
    return new Map<string, Route>([
      [
        'POST /_send/command',
        async ({ body: { team_id, ...rest } }) => {
          const team = textOf(team_id);
          const usual = { ...ada, team_id: team, text: '', trigger_id: trigger(team) };
          return { body: await acting.command({ ...usual, ...asForm(rest) }) };
        },
      ],
      [
        'POST /_send/interaction',
        async ({ body: { team_id, ...rest } }) => {
          const team = textOf(team_id);
          return {
            body: await acting.interaction({ trigger_id: trigger(team), ...interactionOf(team, rest) }),
          };
        },
      ],
      [
        'POST /_send/event',
        async ({ body, query }) => {
          if (query.keep_tokens !== 'true') this.#endTokens(body);
          return { body: await acting.event({ ...newEvent(), ...body }) };
        },
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
   * An admin uninstalls the app: its token ends, and every method answers `token_revoked`.
   * @param id of the workspace
   */
  uninstall(id: string) {
    this.#workspaces.uninstall(id);
  }

  /** Tokens have ended before the events about it, unless the query says `keep_tokens=true`. */
  #endTokens({ team_id, event }: Fields) {
    const { type, tokens } = fieldsOf(event);
    const revoked = type === 'tokens_revoked' && itemsOf(fieldsOf(tokens).bot).length > 0;
    if (type === 'app_uninstalled' || revoked) this.uninstall(textOf(team_id));
  }

  /** Views and messages of a workspace. */
  workspace(id: string) {
    const state = this.#states.get(id) ?? new WorkspaceState(id);
    this.#states.set(id, state);
    return state;
  }
}

const newEvent = () => ({
  type: 'event_callback',
  event_id: `Ev${randomUUID()}`,
  event_time: Math.floor(Date.now() / 1_000),
});

/**
 * Of a person from a shared channel, `team` is the person's workspace. The view names the one that has installed the app.
 * @param rest what differs from a usual interaction
 */
function interactionOf(
  team_id: string,
  { user = { id: ada.user_id, name: ada.user_name }, view, ...rest }: Fields,
) {
  const person = fieldsOf(user);
  const home = textOf(person.id) in strangers ? PARTNER_TEAM : team_id;
  const shown = view
    ? { view: { team_id: home, app_installed_team_id: team_id, ...fieldsOf(view) } }
    : undefined;
  return { team: { id: home }, user: { team_id: home, ...person }, ...shown, ...rest };
}

const asForm = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));

/** Forms have objects as JSON. */
function decoded(body: Fields): Fields {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      typeof value === 'string' && /^[[{]/.test(value) ? (JSON.parse(value) as unknown) : value,
    ]),
  );
}

/**
 * @param client the credentials of the app
 * @param path of the file that keeps its workspaces
 */
export const chatProvider = (
  client: { clientId: string; clientSecret: string },
  acting?: ActingChat,
  path?: string,
) => new ChatProvider(client, acting, path);
