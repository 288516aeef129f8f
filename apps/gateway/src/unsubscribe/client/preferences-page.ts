import { element, paragraph } from '../../page-client/elements.js';
import { textOf } from '../../page-client/error-text.js';
import { announce } from '../../page-client/page-parts.js';
import { CategoryList } from './category-list.js';
import type { MailLink, MailPreferences } from './mail-link.js';
import type { PreferencesPart, Save } from './preferences-part.js';
import { QuietHoursForm } from './quiet-hours-form.js';
import { SubscriptionSwitch } from './subscription-switch.js';

/** The preferences of one address: the mails that the link is about, other categories, and quiet hours. */
export class PreferencesPage {
  readonly #problem = element('p', { class: 'problem', role: 'alert', hidden: '' });
  readonly #parts: readonly PreferencesPart[];

  constructor(
    link: MailLink,
    private preferences: MailPreferences,
  ) {
    const save: Save = (change, done) => this.#save(change, done);
    this.#parts = [
      new SubscriptionSwitch(link, save, preferences),
      new CategoryList(link, save, preferences),
      new QuietHoursForm(link, save),
    ];
  }

  show(stage: HTMLElement): void {
    const { organization_name: name, address } = this.preferences;
    const sender = name === '' ? 'this sender' : name;
    const heading = element('h1', { tabindex: '-1' }, 'Mails from ', element('bdi', {}, sender));
    const to = address === null ? [] : [paragraph('They come to ', element('bdi', {}, address), '.')];
    const [subscription, ...others] = this.#parts.map((part) => part.element);
    stage.className = 'message';
    stage.replaceChildren(heading, ...to, ...(subscription ? [subscription] : []), this.#problem, ...others);
    document.title = `Mails from ${sender} · vaultsvc`;
    this.#update();
    heading.focus();
  }

  async #save(change: () => Promise<MailPreferences>, done: string): Promise<boolean> {
    this.#showProblem('');
    try {
      this.preferences = await change();
      announce(done);
      return true;
    } catch (error) {
      this.#showProblem(`Not saved, nothing was changed. ${textOf(error)}`);
      return false;
    } finally {
      this.#update();
    }
  }

  #update(): void {
    for (const part of this.#parts) part.update(this.preferences);
  }

  #showProblem(text: string): void {
    this.#problem.textContent = text;
    this.#problem.hidden = text === '';
  }
}
