// Accounts, each with the chat app in a workspace of the emulated chat platform.
import type { StackDescription } from '../../stack/descriptor.ts';
import { newAccountToken } from '../new-account.ts';

const AT_ONCE = 8;

/** @returns the ids of the workspaces */
export async function connectWorkspaces(stack: StackDescription, count: number): Promise<string[]> {
  const teams: string[] = [];
  for (let first = 0; first < count; first += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, i) => first + i);
    teams.push(...(await Promise.all(some.map((number) => connect(stack, number)))));
  }
  return teams;
}

async function connect(stack: StackDescription, number: number): Promise<string> {
  const token = await newAccountToken(stack);
  const response = await fetch(`${stack.api_url}/v1/apps/chatapp/oauth/callback`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({
      code: `local-ok-bench-${number}`,
      redirect_uri: 'https://app.example.com/callback',
    }),
  });
  const { data, error } = (await response.json()) as { data?: { team_id: string }; error?: Error };
  if (!data) throw new Error(`a workspace was not connected: ${error?.message}`);
  return data.team_id;
}

/** A message as the platform keeps it. */
interface PlatformMessage {
  channel: string;
  ts: string;
  text: string;
  blocks?: { elements?: { value?: string }[] }[];
}

export interface Message extends PlatformMessage {
  /** Of the secret to be viewed. */
  sparkId: string | undefined;
}

/** What people of the workspaces do. Each resolves with the status that the platform has received. */
export class People {
  #chat: string;

  constructor(stack: StackDescription) {
    this.#chat = stack.chat_api_url;
  }

  command(team_id: string) {
    return this.#send('command', { team_id, text: '<@U0BOB|bob>' });
  }

  submission(team_id: string, secret: string) {
    const values = {
      secret: { text: { value: secret } },
      recipient: { conversation: { selected_conversation: 'C0RANDOM' } },
    };
    const view = { callback_id: 'send_secret', state: { values } };
    return this.#send('interaction', { team_id, type: 'view_submission', view });
  }

  view(team_id: string, { channel, ts, sparkId }: Message) {
    const actions = [{ type: 'button', action_id: 'view_secret', value: sparkId }];
    const message = { type: 'block_actions', channel: { id: channel }, message: { ts }, actions };
    return this.#send('interaction', { team_id, ...message });
  }

  event(team_id: string, type: string) {
    const event = { type, tab: 'home', user: 'U0ADA' };
    return this.#send('event', { team_id, event });
  }

  /** The messages of a workspace; those with a secret have its `sparkId`. */
  async messages(team_id: string): Promise<Message[]> {
    const response = await fetch(`${this.#chat}/_state?team_id=${team_id}`);
    const { messages } = (await response.json()) as { messages: PlatformMessage[] };
    return messages.map((message) => ({ ...message, sparkId: sparkIdOf(message) }));
  }

  /** The text that the API answers: errors of a modal are answered with 200, too. */
  async #send(kind: string, body: object): Promise<number | string> {
    const response = await fetch(`${this.#chat}/_send/${kind}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { status, text } = (await response.json()) as { status: number; text: string };
    return text === '' || kind === 'event' ? status : `${status} ${text}`;
  }
}

function sparkIdOf({ blocks = [] }: PlatformMessage): string | undefined {
  return blocks.flatMap(({ elements = [] }) => elements).find(({ value }) => value)?.value;
}
