import { readFileSync } from 'node:fs';
import { Marked } from 'marked';
import { guideNames, guidePathOf } from './guide-files.mjs';

/** The module that exports the guides. Its source on the disk is only for the type checker. */
export const guidesFile = /[\\/]reference[\\/]guides\.ts$/;

/**
 * Replaces the module by the guides as HTML.
 * @returns {string} JavaScript
 */
export function guidesModule() {
  return `export const guides = ${JSON.stringify(guideNames.map(guideOf))};`;
}

/** @param {string} name */
function guideOf(name) {
  const text = readFileSync(guidePathOf(name), 'utf8');
  const title = /^# (.*)/.exec(text)?.[1] ?? name;
  return { name, title: title.replace(/[:,].*/, ''), html: render(text) };
}

/** @param {string} text Markdown of this repository */
function render(text) {
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
  const html = /** @type {string} */ (marked.parse(text, { async: false }));
  return html
    .replaceAll('<table>', '<div class="scroll" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
}

/**
 * Guides link to each other; pages that only the repository has are not linked.
 * @param {string} href
 */
function targetOf(href) {
  if (/^(https:|#)/.test(href)) return escape(href);
  const [, name = '', anchor = ''] = /^(?:\.\/)?([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  return guideNames.includes(name) ? `/docs/guides/${name}${anchor}` : undefined;
}

/** The anchor of a heading, as GitHub makes it. @param {string} heading */
function slug(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

/** @param {string} text */
function escape(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
