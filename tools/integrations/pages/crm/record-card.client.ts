import { element } from '../elements.client.ts';

/** The record as the CRM shows it, with the panel of the app in a frame. */
export class RecordCard {
  readonly element = element('section', { 'aria-label': 'Record' });

  constructor() {
    this.hide();
  }

  hide() {
    this.element.hidden = true;
  }

  /** @param data what the API has answered */
  show(title: string, data: { panel_url: string }) {
    const frame = element('iframe', {
      title: `Files of ${title}`,
      src: data.panel_url,
      allow: 'clipboard-write',
    });
    const answer = element('pre', { tabindex: '0' }, JSON.stringify(data, null, 2));
    this.element.replaceChildren(
      element('h2', {}, title),
      frame,
      element('details', {}, element('summary', {}, 'What the API has answered'), answer),
    );
    this.element.hidden = false;
  }
}
