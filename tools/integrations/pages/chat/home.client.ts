import { element } from '../elements.client.ts';
import { shownBlocks, type Names } from './blocks.client.ts';
import type { View } from './state.client.ts';

/** The home of the app, hidden until the app has published one. */
export class Home {
  readonly #names: Names;

  readonly element = element('section', { 'aria-label': 'Home of the app' });

  constructor(names: Names) {
    this.#names = names;
  }

  show(published: View | undefined) {
    this.element.hidden = !published;
    if (published) this.element.replaceChildren(...shownBlocks(published.blocks, this.#names));
  }
}
