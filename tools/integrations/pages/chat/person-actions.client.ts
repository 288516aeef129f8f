import { post, type Answer } from '../page-server.client.ts';
import type { PersonChoice } from '../person-choice.client.ts';
import type { ActionButton } from './blocks.client.ts';
import type { Directory } from './directory.client.ts';
import type { Message, View } from './state.client.ts';

/** What the chosen person does, as the platform sends it to the app. */
export class PersonActions {
  readonly #person: PersonChoice;
  readonly #directory: Directory;
  readonly #onAnswer: (answer: Answer) => Promise<void>;

  /** @param onAnswer called with each answer of the API, before the action returns it */
  constructor(person: PersonChoice, directory: Directory, onAnswer: (answer: Answer) => Promise<void>) {
    this.#person = person;
    this.#directory = directory;
    this.#onAnswer = onAnswer;
  }

  /** Sends a text: `/secret` as a command, anything else as a message to the app. */
  write(text: string) {
    const [, given] = /^\/secret\s*(.*)$/.exec(text) ?? [];
    const { id, name } = this.#user;
    if (given !== undefined)
      return this.#send('command', { user_id: id, user_name: name, text: this.#directory.escaped(given) });
    const event = { type: 'message', channel_type: 'im', channel: id, user: id, text };
    return this.#send('event', { event });
  }

  openHome() {
    return this.#send('event', { event: { type: 'app_home_opened', tab: 'home', user: this.#user.id } });
  }

  press({ action_id, value }: ActionButton, { channel, ts }: Message) {
    return this.#send('interaction', {
      type: 'block_actions',
      user: this.#user,
      channel: { id: channel },
      message: { ts },
      actions: [{ type: 'button', action_id, value }],
    });
  }

  /** @param values of the inputs, by block and action */
  submit({ id, callback_id }: View, values: object) {
    const view = { id, callback_id, state: { values } };
    return this.#send('interaction', { type: 'view_submission', user: this.#user, view });
  }

  get #user() {
    const { userId } = this.#person;
    return { id: userId, name: this.#directory.names[userId] };
  }

  async #send(kind: 'command' | 'interaction' | 'event', body: object) {
    const answer = await post(`/_send/${kind}`, { team_id: this.#person.installationId, ...body });
    await this.#onAnswer(answer);
    return answer;
  }
}
