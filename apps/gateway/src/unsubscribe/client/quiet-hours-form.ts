import { actions, element, paragraph } from '../../page-client/elements.js';
import { busyButton } from '../../page-client/page-parts.js';
import type { MailLink, MailPreferences } from './mail-link.js';
import type { PreferencesPart, Save } from './preferences-part.js';
import { timeZones } from './time-zones.js';

/** Hours in which reminders wait, in a time zone: by default that of the browser. */
export class QuietHoursForm implements PreferencesPart {
  readonly element: HTMLElement;
  readonly #state = paragraph();
  readonly #from = element('input', { type: 'time', id: 'from', required: '', value: '22:00' });
  readonly #to = element('input', { type: 'time', id: 'to', required: '', value: '07:00' });
  readonly #zone = element('select', { id: 'zone' });
  readonly #remove: HTMLButtonElement;

  constructor(
    private readonly link: MailLink,
    private readonly save: Save,
  ) {
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
    this.#zone.append(...timeZones(own).map((name) => element('option', { value: name }, name)));
    this.#zone.value = own;
    this.#remove = busyButton('No quiet hours', () => this.#set(null, 'Quiet hours have ended.'), 'quiet');
    const store = busyButton('Save quiet hours', () => this.#store(), 'quiet');
    this.element = element(
      'section',
      {},
      element('h2', {}, 'Quiet hours'),
      element(
        'p',
        { class: 'hint' },
        'Reminders wait until they end. The first mail about something comes at once.',
      ),
      this.#state,
      fieldsOf({ From: this.#from, To: this.#to, 'Time zone': this.#zone }),
      actions(store, this.#remove),
    );
  }

  update({ quiet_hours: quiet }: MailPreferences): void {
    this.#remove.hidden = quiet === null;
    this.#state.textContent = quiet
      ? `Quiet from ${quiet.from} to ${quiet.to}, ${quiet.time_zone}.`
      : 'You have no quiet hours.';
    if (quiet) this.#fill(quiet);
  }

  #fill({ from, to, time_zone }: NonNullable<MailPreferences['quiet_hours']>): void {
    this.#from.value = from;
    this.#to.value = to;
    if (![...this.#zone.options].some(({ value }) => value === time_zone))
      this.#zone.append(element('option', { value: time_zone }, time_zone));
    this.#zone.value = time_zone;
  }

  async #store(): Promise<void> {
    if (!this.#from.reportValidity() || !this.#to.reportValidity()) return;
    const quiet = { from: this.#from.value, to: this.#to.value, time_zone: this.#zone.value };
    await this.#set(quiet, 'Quiet hours are saved.');
  }

  async #set(quiet_hours: MailPreferences['quiet_hours'], done: string): Promise<void> {
    await this.save(() => this.link.set({ quiet_hours }), done);
  }
}

function fieldsOf(fields: Readonly<Record<string, HTMLElement>>): HTMLElement {
  const pairs = Object.entries(fields).map(([label, field]) =>
    element('div', { class: 'field' }, element('label', { for: field.id }, label), field),
  );
  return element('div', { class: 'fields' }, ...pairs);
}
