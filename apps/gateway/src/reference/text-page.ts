import { createHash } from 'node:crypto';
import { docsHeader, type DocsGroup } from './docs-header.js';
import { html, Html, pageHead } from './html.js';
import { pageScript, pageStyle } from './page-script.js';

/** The parts in which pages of text differ. */
export interface TextPage {
  readonly title: string;
  /** The group of the page, which the header shows. */
  readonly group?: DocsGroup;
  /** The label of the navigation beside the text. */
  readonly label: string;
  readonly links: readonly Html[];
  readonly main: Html;
}

/** A page of text beside links, and its content security policy. It is complete without its script, which adds search and copy buttons. */
export function textPage({ title, group, label, links, main }: TextPage): {
  page: string;
  policy: string;
} {
  const { text } = html`${pageHead(`${title} · vaultsvc`, pageStyle)}<body class="text">
<a class="skip" href="#text">Skip to the text</a>
${docsHeader(group)}${links.length > 0 ? html`<nav class="side" aria-label="${label}">${links}</nav>` : ''}
<main id="text" tabindex="-1">${main}</main>
${new Html(`<script>${pageScript}</script>`)}
</body>
</html>
`;
  return { page: text, policy };
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The script of the search is a module of this origin. */
const policy = [
  `default-src 'none'`,
  `script-src 'self' ${hashOf(pageScript)}`,
  `style-src ${hashOf(pageStyle)}`,
  `connect-src 'self'`,
  `img-src data:`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');
