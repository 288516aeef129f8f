import { guides } from './guides.js';
import { html } from './html.js';
import { textPage } from './text-page.js';

/** The page for people at a path of guides or errors that has none, such as a link that was cut off. */
export function missingPage(): { page: string; policy: string } {
  const [first] = guides;
  const main = html`<h1>There is no such page</h1>
<p>Check that the address is complete, or search above. Most of what people look for is here:</p>
<ul><li><a href="/docs/guides">All guides</a>${first ? html`, of which <a href="/docs/guides/${first.name}">${first.title}</a> is the first` : ''}</li>
<li><a href="/docs">The reference</a>, with every operation of the API</li>
<li><a href="/docs/errors">Errors</a>, with what to do about each</li></ul>`;
  return textPage({ title: 'No such page', label: 'Guides', links: [], main });
}
