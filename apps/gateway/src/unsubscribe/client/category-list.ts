import { element } from '../../page-client/elements.js';
import type { MailLink, MailPreferenceChanges, MailPreferences } from './mail-link.js';
import type { PreferencesPart, Save } from './preferences-part.js';

interface Row {
  readonly box: HTMLInputElement;
  readonly isOn: (preferences: MailPreferences) => boolean;
}

/** A switch for all mails of the sender, where the link is about one category, and one for each category. */
export class CategoryList implements PreferencesPart {
  readonly element: HTMLElement;
  readonly #rows: readonly Row[];
  readonly #hint = element('p', { class: 'hint' });

  constructor(
    private readonly link: MailLink,
    private readonly save: Save,
    { category, categories }: MailPreferences,
  ) {
    const all = category === null ? [] : [this.#allMails()];
    const each = categories.map((one) => this.#category(one.category));
    const rows = [...all, ...each];
    this.#rows = rows.map(({ row }) => row);
    const list = element('ul', { class: 'switches' }, ...rows.map(({ item }) => item));
    this.element = element('section', {}, element('h2', {}, 'What you get'), list, this.#hint);
    this.element.hidden = categories.length === 0;
  }

  update(preferences: MailPreferences): void {
    for (const { box, isOn } of this.#rows) box.checked = isOn(preferences);
    this.#hint.textContent = preferences.all_mails_off ? 'All mails are off, whatever else is chosen.' : '';
    this.#hint.hidden = !preferences.all_mails_off;
  }

  #allMails() {
    const change = (isOn: boolean) => ({ all_mails_off: !isOn });
    return this.#switch('All mails', change, ({ all_mails_off }) => !all_mails_off);
  }

  #category(category: string) {
    const change = (is_on: boolean) => ({ categories: [{ category, is_on }] });
    return this.#switch(
      category,
      change,
      ({ categories }) => categories.find((one) => one.category === category)?.is_on ?? true,
    );
  }

  #switch(name: string, change: (isOn: boolean) => MailPreferenceChanges, isOn: Row['isOn']) {
    const box = element('input', { type: 'checkbox' });
    box.addEventListener('change', () => {
      const wanted = box.checked;
      void this.save(() => this.link.set(change(wanted)), `${name}: ${wanted ? 'on' : 'off'}. Saved.`);
    });
    return {
      row: { box, isOn },
      item: element('li', {}, element('label', {}, box, element('bdi', {}, name))),
    };
  }
}
