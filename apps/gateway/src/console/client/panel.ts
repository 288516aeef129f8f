import { textOf } from '../../page-client/error-text.js';
import { actions, button, element, paragraph } from '../../page-client/elements.js';

export interface PanelOptions<T> {
  readonly id: string;
  readonly title: string;
  /** A sentence below the title. */
  readonly hint?: string;
  /** Controls above the content, which stay, with the focus, while it is loaded again. */
  readonly tools?: HTMLElement;
  /** Height of the placeholder in CSS, so that the page does not jump when the content arrives. */
  readonly height: string;
  readonly read: () => Promise<T>;
  readonly show: (data: T) => readonly Node[];
}

/** A section that loads on its own: a placeholder, then its content, or an error with a button that tries again. */
export class Panel<T> {
  readonly element: HTMLElement;
  readonly #body: HTMLElement;
  readonly #heading: HTMLElement;
  #generation = 0;

  constructor(private readonly options: PanelOptions<T>) {
    const { id, title, hint, tools, height } = options;
    this.#body = element('div', { class: 'body' }, placeholder(height));
    this.#heading = element('h2', { id: `${id}-title`, tabindex: '-1' }, title);
    this.element = element(
      'section',
      { id, 'aria-labelledby': `${id}-title` },
      this.#heading,
      ...(hint ? [element('p', { class: 'hint' }, hint)] : []),
      ...(tools ? [tools] : []),
      this.#body,
    );
  }

  /** Loads the content; what is shown stays until then. Never rejects. */
  async load(): Promise<void> {
    // A slow answer must not replace that of a later request.
    const generation = ++this.#generation;
    this.#body.setAttribute('aria-busy', 'true');
    const parts = await this.options
      .read()
      .then(this.options.show)
      .catch((error: unknown) => this.#problem(error));
    if (generation !== this.#generation) return;
    const hadFocus = this.#body.contains(document.activeElement);
    this.#body.replaceChildren(...parts);
    this.#body.removeAttribute('aria-busy');
    if (hadFocus) this.#heading.focus();
  }

  #problem(error: unknown): Node[] {
    const again = button('Try again', () => void this.load(), 'quiet');
    again.setAttribute('aria-label', `Try again: ${this.options.title}`);
    return [element('div', { class: 'problem', role: 'alert' }, paragraph(textOf(error)), actions(again))];
  }
}

function placeholder(height: string): HTMLElement {
  const shape = element('p', { class: 'placeholder' }, 'Loading …');
  shape.style.minHeight = height;
  return shape;
}
