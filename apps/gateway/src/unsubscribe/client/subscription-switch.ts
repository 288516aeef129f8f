import { actions, element, isDisabled, setDisabled } from '../../page-client/elements.js';
import type { MailLink, MailPreferences } from './mail-link.js';
import type { PreferencesPart, Save } from './preferences-part.js';

/** Whether mails of the kind that the link is about come, with the button that ends them, or brings them back. */
export class SubscriptionSwitch implements PreferencesPart {
  readonly element: HTMLElement;
  readonly #state = element('p', { class: 'state' });
  readonly #button = element('button', { type: 'button' });
  readonly #kind: HTMLElement;
  #isOff = false;

  constructor(
    private readonly link: MailLink,
    private readonly save: Save,
    { category, organization_name: name }: MailPreferences,
  ) {
    const sender = name === '' ? 'this sender' : name;
    this.#kind = element('span', {}, category === null ? 'mails from ' : 'mails about ');
    this.#kind.append(element('bdi', {}, category ?? sender));
    this.element = element('section', {}, this.#state, actions(this.#button));
    this.#button.addEventListener('click', ({ detail }) => void this.#press(detail));
  }

  update({ unsubscribed }: MailPreferences): void {
    this.#isOff = unsubscribed;
    const begin = unsubscribed ? 'You are unsubscribed: you get no more ' : 'You get ';
    this.#state.replaceChildren(begin, this.#kind, '.');
    this.#state.classList.toggle('off', unsubscribed);
    this.#button.textContent = unsubscribed ? 'Subscribe again' : 'Unsubscribe';
    this.#button.className = unsubscribed ? 'quiet' : '';
  }

  /** The second press of a double click would undo the first one. */
  async #press(clicks: number): Promise<void> {
    if (clicks > 1 || isDisabled(this.#button)) return;
    setDisabled(this.#button, true);
    if (this.#isOff)
      await this.save(() => this.link.set({ unsubscribed: false }), 'You are subscribed again.');
    else await this.save(() => this.link.end(), 'You are unsubscribed.');
    setDisabled(this.#button, false);
  }
}
