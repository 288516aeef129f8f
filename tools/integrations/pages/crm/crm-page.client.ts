import {
  button,
  choice,
  element,
  form,
  labelled,
  problemLine,
  row,
  type Option,
} from '../elements.client.ts';
import { refusalText, type Answer, type Named } from '../page-server.client.ts';
import { PersonChoice } from '../person-choice.client.ts';
import { PersonActions, type Crm } from './person-actions.client.ts';
import { RecordCard } from './record-card.client.ts';

/** What the API answers to `resolve`, as far as the page uses it. */
interface Resolved {
  data?: { panel_url: string };
}

const TYPES = ['contact', 'company', 'deal'].map((type): Option => [type, type]);

/** The CRM: the person opens a record, and its card shows what the app has answered. */
export class CrmPage {
  readonly #person: PersonChoice;
  readonly #actions: PersonActions;
  readonly #type = choice(TYPES);
  readonly #recordId: HTMLInputElement;
  readonly #problem = problemLine();
  readonly #card = new RecordCard();

  readonly elements: readonly HTMLElement[];

  constructor(
    crm: Crm,
    options: { installations: readonly Named[]; people: readonly Option[]; recordId: string },
  ) {
    const { installations, people, recordId } = options;
    this.#person = new PersonChoice(crm === 'crma' ? 'Portal' : 'Org', installations, people);
    this.#actions = new PersonActions(crm, this.#person);
    this.#recordId = element('input', { value: recordId, maxlength: '128' });
    this.elements = [element('section', { 'aria-label': 'Person' }, this.#form()), this.#card.element];
  }

  #form() {
    return form(
      () => void this.#open(),
      row(...this.#person.elements, labelled('Record', this.#type), labelled('Number', this.#recordId)),
      row(
        element('button', {}, 'Open record'),
        button('Uninstall the app', () => void this.#uninstall(), 'quiet'),
      ),
      this.#problem,
    );
  }

  async #open() {
    const [type, id] = [this.#type.value, this.#recordId.value];
    const answer = await this.#actions.openRecord(type, id);
    const { data } = resolvedIn(answer);
    this.#problem.textContent = data ? '' : refusalText(answer);
    if (data) this.#card.show(`${type} ${id}`, data);
    else this.#card.hide();
  }

  async #uninstall() {
    const { status, text } = await this.#actions.uninstall();
    this.#card.hide();
    this.#problem.textContent = status === 200 ? 'The app is uninstalled.' : text;
  }
}

function resolvedIn({ text }: Answer): Resolved {
  try {
    return JSON.parse(text) as Resolved;
  } catch {
    return {};
  }
}
