import { element } from '../../page-client/elements.js';
import { eventText } from './texts.js';

const ALL = '';

/** The type of audit entries that the page lists, in the query of its URL. */
export class TypeFilter {
  readonly element: HTMLElement;
  readonly #select = element('select', { id: 'type' });

  constructor(onChange: () => void) {
    this.element = element(
      'div',
      { class: 'filter' },
      element('label', { for: 'type' }, 'Type'),
      this.#select,
    );
    this.offer([]);
    this.#select.addEventListener('change', () => {
      const url = new URL(location.href);
      const type = this.#select.value;
      url.search = type === ALL ? '' : new URLSearchParams({ type }).toString();
      history.replaceState(null, '', url);
      onChange();
    });
  }

  /** Empty for all types. */
  get type(): string {
    return new URLSearchParams(location.search).get('type') ?? ALL;
  }

  /** Offers these types, and that of the URL, which may be unknown. */
  offer(types: readonly string[]): void {
    const offered = [...new Set([...types, this.type])].filter((type) => type !== ALL).toSorted();
    // Options that are replaced would close a list that is open.
    if (this.#select.options.length === offered.length + 1) return;
    this.#select.replaceChildren(
      element('option', { value: ALL }, 'All types'),
      ...offered.map((type) => element('option', { value: type }, eventText(type))),
    );
    this.#select.value = this.type;
  }
}
