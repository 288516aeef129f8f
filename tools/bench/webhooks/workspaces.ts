// @ts-nocheck
// Accounts, each with the chat app in a workspace of the emulated chat platform.
import { newAccountToken } from '../new-account.ts';

const AT_ONCE = 8;

/** @returns the ids of the workspaces */
export async function connectWorkspaces(stack: Record<string, any>, count: number): Promise<string[]> {
  const teams = [];
  for (let first = 0; first < count; first += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, i) => first + i);
    teams.push(...(await Promise.all(some.map((number) => connect(stack, number)))));
  }
  return teams;
}

async function connect(stack, number) {
  const token = await newAccountToken(stack);
  const response = await fetch(`${stack.api_url}/v1/apps/chatapp/oauth/callback`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({
      code: `local-ok-bench-${number}`,
      redirect_uri: 'https://app.example.com/callback',
    }),
  });
  const { data, error } = await response.json();
  if (!data) throw new Error(`a workspace was not connected: ${error?.message}`);
  return data.team_id;
}

/** What people of the workspaces do. Each resolves with the status that the platform has received. */
export class People {
  #chat;

  constructor(stack) {
    this.#chat = stack.chat_api_url;
  }

  command(team_id) {
    return this.#send('command', { team_id, text: '<@U0BOB|bob>' });
  }

  submission(team_id, secret) {
    const values = {
      secret: { text: { value: secret } },
      recipient: { conversation: { selected_conversation: 'C0RANDOM' } },
    };
    const view = { callback_id: 'send_secret', state: { values } };
    return this.#send('interaction', { team_id, type: 'view_submission', view });
  }

  view(team_id, { channel, ts, sparkId }) {
    const actions = [{ type: 'button', action_id: 'view_secret', value: sparkId }];
    const message = { type: 'block_actions', channel: { id: channel }, message: { ts }, actions };
    return this.#send('interaction', { team_id, ...message });
  }

  event(team_id, type) {
    const event = { type, tab: 'home', user: 'U0ADA' };
    return this.#send('event', { team_id, event });
  }

  /** The messages of a workspace; those with a secret have its `sparkId`. */
  async messages(team_id) {
    const response = await fetch(`${this.#chat}/_state?team_id=${team_id}`);
    const { messages } = await response.json();
    return messages.map((message) => ({ ...message, sparkId: sparkIdOf(message) }));
  }

  /** The text that the API answers: errors of a modal are answered with 200, too. */
  async #send(kind, body) {
    const response = await fetch(`${this.#chat}/_send/${kind}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { status, text } = await response.json();
    return text === '' || kind === 'event' ? status : `${status} ${text}`;
  }
}

function sparkIdOf({ blocks = [] }) {
  return blocks.flatMap(({ elements = [] }) => elements).find(({ value }) => value)?.value;
}
