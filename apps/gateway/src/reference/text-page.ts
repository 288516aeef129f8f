import { createHash } from 'node:crypto';
import { html, Html, pageHead } from './html.js';

/** The parts in which pages of text differ. */
export interface TextPage {
  readonly title: string;
  /** The label of the navigation beside the text. */
  readonly label: string;
  readonly links: readonly Html[];
  readonly main: Html;
  /** Rules besides those of every page. */
  readonly style: string;
}

/** A page of text beside links, without scripts, and its content security policy. */
export function textPage({ title, label, links, main, style: own }: TextPage): {
  page: string;
  policy: string;
} {
  const style = `${commonStyle}${own}`;
  const { text } = html`${pageHead(`${title} · vaultsvc`, style)}<body>
<nav aria-label="${label}"><a href="/docs">Reference</a>${links}</nav>
<main>${main}</main>
</body>
</html>
`;
  return { page: text, policy: policyOf(style) };
}

const commonStyle = `
:root { color-scheme: light dark; --ink: light-dark(#1a1f2b, #e6e9ef); --soft: light-dark(#566072, #9aa4b5); --line: light-dark(#e2e6ee, #2a3140);
  --paper: light-dark(#fff, #12161e); --tint: light-dark(#f6f8fb, #1a2029); --accent: light-dark(#1d4fbf, #8fb0ff); }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; color: var(--ink); background: var(--paper); display: grid; grid-template-columns: 15rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 2rem 1.25rem; border-right: 1px solid var(--line); background: var(--tint); }
nav a { display: block; padding: .3rem 0; text-decoration: none; } nav a:hover, nav a:focus-visible { text-decoration: underline; }
nav a:first-child { margin-bottom: .8rem; font-weight: 600; } nav a[aria-current] { color: var(--ink); font-weight: 600; }
main { padding: 2rem clamp(1.25rem, 4vw, 4rem) 4rem; max-width: 58rem; }
h1, h2, h3 { line-height: 1.25; } a { color: var(--accent); } code { font: .875em ui-monospace, monospace; overflow-wrap: anywhere; }
@media (max-width: 52rem) { body { display: block; } nav { position: static; height: auto; padding: 1rem 1.25rem; border-right: 0; border-bottom: 1px solid var(--line); } nav a { display: inline-block; margin-right: 1rem; } nav a:first-child { margin-bottom: 0; } }
`;

function policyOf(style: string): string {
  return [
    `default-src 'none'`,
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    `img-src data:`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}
