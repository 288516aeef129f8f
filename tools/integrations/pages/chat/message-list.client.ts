import { element, hint } from '../elements.client.ts';
import { shownBlocks, type ActionButton, type Block, type Names } from './blocks.client.ts';
import { conversationName } from './directory.client.ts';
import type { Message } from './state.client.ts';

type OnAction = (action: ActionButton, message: Message) => void;

/** The messages of the app, newest first. */
export class MessageList {
  readonly #names: Names;
  readonly #onAction: OnAction;
  readonly #list = element('ul', {});
  #shown = '';

  readonly element = element(
    'section',
    { 'aria-label': 'Messages' },
    element('h2', {}, 'Messages of the app'),
    this.#list,
  );

  constructor(names: Names, onAction: OnAction) {
    this.#names = names;
    this.#onAction = onAction;
  }

  /** Unchanged messages keep their elements, and with them the focus. */
  show(messages: readonly Message[]) {
    const texts = JSON.stringify(messages);
    if (this.#shown === texts) return;
    this.#shown = texts;
    this.#list.replaceChildren(...messages.toReversed().map((message) => this.#itemOf(message)));
  }

  #itemOf(message: Message) {
    const blocks: Block[] = message.blocks ?? [{ type: 'section', text: { text: message.text } }];
    const shown = shownBlocks(blocks, this.#names, (action) => this.#onAction(action, message));
    return element('li', {}, hint(`in ${conversationName(message.channel)}`), ...shown);
  }
}
