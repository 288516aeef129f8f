import { guides, type Guide } from './guides.js';
import { html, Html } from './html.js';
import { textPage } from './text-page.js';

/** A guide as a page, and its content security policy. */
export function guidePage(guide: Guide): { page: string; policy: string } {
  return textPage({ title: guide.title, ...common(guide), main: new Html(guide.html) });
}

/** The index of the guides: each with its first sentence. */
export function guidesPage(): { page: string; policy: string } {
  const items = guides.map(
    ({ name, title, summary }) => html`<li><a href="/docs/guides/${name}">${title}</a><p>${summary}</p></li>`,
  );
  const main = html`<h1>Guides</h1>
<p>How to use vaultsvc, page by page. Every operation with its fields is in the <a href="/docs">reference</a>, every error with what to do on the page <a href="/docs/errors">Errors</a>.</p>
<ul class="cards">${items}</ul>`;
  return textPage({ title: 'Guides', ...common(), main });
}

function common(shown?: Guide) {
  const links = guides.map((other) => linkTo(other, other.name === shown?.name));
  return { group: 'guides', label: 'Guides', links } as const;
}

function linkTo({ name, title }: Guide, isShown: boolean): Html {
  const current = isShown ? new Html(' aria-current="page"') : html``;
  return html`<a href="/docs/guides/${name}"${current}>${title}</a>`;
}
