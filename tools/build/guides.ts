import { readFileSync } from 'node:fs';
import { Marked } from 'marked';
import { guideNames, guidePathOf } from './guide-files.ts';
import { guideSectionsOf, guideSummaryOf } from './guide-sections.ts';

/** The module that exports the guides. Its source on the disk is only for the type checker. */
export const guidesFile = /[\\/]reference[\\/]guides\.ts$/;

/**
 * Replaces the module by the guides as HTML.
 * @returns JavaScript
 */
export function guidesModule(): string {
  return `export const guides = ${JSON.stringify(guideNames.map(guideOf))};`;
}

function guideOf(name: string) {
  const text = readFileSync(guidePathOf(name), 'utf8');
  const title = /^# (.*)/.exec(text)?.[1] ?? name;
  const html = render(text);
  const summary = guideSummaryOf(html);
  return { name, title: title.replace(/[:,].*/, ''), summary, html, sections: guideSectionsOf(html) };
}

/** @param text Markdown of this repository */
function render(text: string) {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: heading }) {
        return `<h${depth} id="${slug(heading)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const label = this.parser.parseInline(tokens);
        const target = targetOf(href);
        return target === undefined ? label : `<a href="${target}">${label}</a>`;
      },
      // A wide block scrolls by itself, and a keyboard must be able to scroll it (WCAG 2.1.1).
      code({ text: source }) {
        return `<pre tabindex="0"><code>${escape(source)}</code></pre>\n`;
      },
    },
  });
  const html = marked.parse(text, { async: false }) as string;
  return html
    .replaceAll('<table>', '<div class="scroll" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
}

/** Guides link to each other; pages that only the repository has are not linked. */
function targetOf(href: string) {
  if (/^(https:|#)/.test(href)) return escape(href);
  const [, file = '', anchor = ''] = /^(?:\.{1,2}\/|docs\/)?([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  const name = file.toLowerCase();
  return guideNames.includes(name) ? `/docs/guides/${name}${anchor}` : undefined;
}

/** The anchor of a heading, as GitHub makes it. */
function slug(heading: string) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

function escape(text: string) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
