import { element } from '../../page-client/elements.js';
import type { SearchHit } from '../search/client/main.js';
import type { TextPart } from '../search/client/snippet.js';

const LIST_ID = 'search-hits';

/** The list box of a combobox (ARIA Authoring Practices): its input keeps the focus, and names the active option. */
export class SearchList {
  readonly element = element('ul', { id: LIST_ID, role: 'listbox', 'aria-label': 'Results' });
  #hits: readonly SearchHit[] = [];
  #active = 0;

  constructor(
    private readonly input: HTMLInputElement,
    private readonly open: (url: string, inNewTab: boolean) => void,
  ) {
    input.setAttribute('aria-controls', LIST_ID);
    this.show([]);
    // A press must not take the focus from the input, which would close the list.
    this.element.addEventListener('mousedown', (event) => event.preventDefault());
  }

  /** The hit that Enter opens. */
  get active(): SearchHit | undefined {
    return this.#hits[this.#active];
  }

  openActive(): void {
    if (this.active) this.open(this.active.url, false);
  }

  /** Shows hits, of which the first one is active; without any the list is closed. */
  show(hits: readonly SearchHit[]): void {
    this.#hits = hits;
    this.element.replaceChildren(...hits.map((hit, index) => this.#optionOf(hit, index)));
    this.element.hidden = hits.length === 0;
    this.input.setAttribute('aria-expanded', String(hits.length > 0));
    this.#activate(0);
  }

  /** Makes the next or the previous hit active, and the first one after the last. */
  move(step: 1 | -1): void {
    const { length } = this.#hits;
    if (length > 0) this.#activate((this.#active + step + length) % length);
  }

  #activate(index: number): void {
    this.#active = index;
    const options = [...this.element.children];
    for (const [position, option] of options.entries())
      option.setAttribute('aria-selected', String(position === index));
    const option = options[index];
    if (option) this.input.setAttribute('aria-activedescendant', option.id);
    else this.input.removeAttribute('aria-activedescendant');
    option?.scrollIntoView({ block: 'nearest' });
  }

  #optionOf({ kind, url, title, place, snippet }: SearchHit, index: number): HTMLElement {
    const option = element(
      'li',
      { id: `search-hit-${index}`, role: 'option' },
      element('span', { class: 'kind' }, kind),
      element('span', { class: 'title' }, ...marked(title)),
      element('span', { class: 'place' }, place),
      element('span', { class: 'snippet' }, ...marked(snippet)),
    );
    option.addEventListener('click', ({ ctrlKey, metaKey }) => this.open(url, ctrlKey || metaKey));
    return option;
  }
}

function marked(parts: readonly TextPart[]): (Node | string)[] {
  return parts.map(({ text, isFound }) => (isFound ? element('mark', {}, text) : text));
}
