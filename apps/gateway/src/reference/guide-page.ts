import { guides, type Guide } from './guides.js';
import { html, Html } from './html.js';
import { textPage } from './text-page.js';

/** A guide as a page, and its content security policy. */
export function guidePage(guide: Guide): { page: string; policy: string } {
  const links = guides.map((other) => linkTo(other, guide));
  return textPage({ title: guide.title, label: 'Guides', links, main: new Html(guide.html), style });
}

function linkTo({ name, title }: Guide, shown: Guide): Html {
  const current = name === shown.name ? new Html(' aria-current="page"') : html``;
  return html`<a href="/docs/guides/${name}"${current}>${title}</a>`;
}

const style = `
h2 { margin-top: 2.5rem; }
pre, .scroll { overflow-x: auto; } pre { padding: .9rem 1rem; background: var(--tint); border: 1px solid var(--line); border-radius: .5rem; }
pre code { overflow-wrap: normal; }
table { border-collapse: collapse; width: 100%; } th, td { padding: .45rem .9rem .45rem 0; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
`;
