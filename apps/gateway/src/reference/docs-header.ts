import { html, Html } from './html.js';

/** The groups of pages that the header of each page links to. */
const groups = {
  reference: { title: 'Reference', path: '/docs' },
  guides: { title: 'Guides', path: '/docs/guides' },
  errors: { title: 'Errors', path: '/docs/errors' },
  install: { title: 'Install', path: '/docs/install' },
} as const;
export type DocsGroup = keyof typeof groups;

/** The header of a page of this group. The script of the page adds the search to it. */
export function docsHeader(current: DocsGroup | undefined): Html {
  const links = (Object.keys(groups) as DocsGroup[]).map((group) => {
    const { title, path } = groups[group];
    const mark = group === current ? new Html(' aria-current="true"') : html``;
    return html`<a href="${path}"${mark}>${title}</a>`;
  });
  // Not a header: the viewer has one, and a page has one banner at most (ARIA, 5.3.4).
  return html`<div id="top"><nav aria-label="Documentation"><a class="brand" href="/docs">vaultsvc</a>${links}</nav>
<div id="search" role="search"></div></div>
`;
}
