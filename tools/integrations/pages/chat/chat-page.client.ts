import { problemLine } from '../elements.client.ts';
import { read, refusalText, type Answer, type Named } from '../page-server.client.ts';
import { PersonChoice } from '../person-choice.client.ts';
import { askToConfirm } from './confirmation.client.ts';
import type { Directory } from './directory.client.ts';
import { Home } from './home.client.ts';
import { MessageList } from './message-list.client.ts';
import { Modal } from './modal.client.ts';
import { PersonActions } from './person-actions.client.ts';
import { personSection } from './person-section.client.ts';
import type { State } from './state.client.ts';

const POLL_MS = 700;

/** The chat: each action of the person goes to the app, and all parts show the state that is read afterwards. */
export class ChatPage {
  readonly #person: PersonChoice;
  readonly #messages: MessageList;
  readonly #home: Home;
  readonly #modal: Modal;
  readonly #problem = problemLine();

  constructor(stage: HTMLElement, workspaces: readonly Named[], directory: Directory) {
    this.#person = new PersonChoice('Workspace', workspaces, directory.people);
    const actions = new PersonActions(this.#person, directory, (answer) => this.#showAnswer(answer));
    this.#messages = new MessageList(directory.names, (action, message) =>
      askToConfirm(stage, action, () => void actions.press(action, message)),
    );
    this.#home = new Home(directory.names);
    this.#modal = new Modal(directory, actions);
    stage.replaceChildren(
      personSection(this.#person, actions, this.#problem),
      this.#home.element,
      this.#messages.element,
      this.#modal.element,
    );
    this.#person.onInstallation(() => void this.#refresh());
  }

  /** Shows the state of the workspace again and again, because the app also acts by itself. */
  async keepCurrent() {
    for (;;) {
      await this.#refresh().catch(() => undefined); // the stack is stopped or restarting
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  async #showAnswer(answer: Answer) {
    this.#problem.textContent = answer.status === 200 ? '' : refusalText(answer);
    await this.#refresh();
  }

  async #refresh() {
    const teamId = this.#person.installationId;
    const { views, messages } = await read<State>(`/_state?team_id=${teamId}`);
    if (teamId !== this.#person.installationId) return; // Another workspace has been chosen meanwhile.
    this.#messages.show(messages);
    this.#home.show(views.find(({ type }) => type === 'home'));
    this.#modal.show(
      teamId,
      views.filter(({ type }) => type === 'modal'),
    );
  }
}
