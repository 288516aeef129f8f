import { createHash } from 'node:crypto';
import { guides, type Guide } from './guides.js';
import { html, Html } from './html.js';

/** A guide as a page without scripts, and its content security policy. */
export function guidePage(guide: Guide): { page: string; policy: string } {
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${guide.title} · vaultsvc</title>
<link rel="icon" href="data:,">
${new Html(`<style>${style}</style>`)}
</head>
<body>
<nav aria-label="Guides"><a href="/docs">Reference</a>${guides.map((other) => linkTo(other, guide))}</nav>
<main>${new Html(guide.html)}</main>
</body>
</html>
`;
  return { page: text, policy };
}

function linkTo({ name, title }: Guide, shown: Guide): Html {
  const current = name === shown.name ? new Html(' aria-current="page"') : html``;
  return html`<a href="/docs/guides/${name}"${current}>${title}</a>`;
}

const style = `
:root { color-scheme: light dark; --ink: light-dark(#1a1f2b, #e6e9ef); --line: light-dark(#e2e6ee, #2a3140);
  --paper: light-dark(#fff, #12161e); --tint: light-dark(#f6f8fb, #1a2029); --accent: light-dark(#1d4fbf, #8fb0ff); }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; color: var(--ink); background: var(--paper); display: grid; grid-template-columns: 15rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 2rem 1.25rem; border-right: 1px solid var(--line); background: var(--tint); }
nav a { display: block; padding: .3rem 0; } nav a:first-child { margin-bottom: .8rem; font-weight: 600; } nav a[aria-current] { color: var(--ink); font-weight: 600; }
main { padding: 2rem clamp(1.25rem, 4vw, 4rem) 4rem; max-width: 58rem; }
h1, h2, h3 { line-height: 1.25; } h2 { margin-top: 2.5rem; } a { color: var(--accent); }
nav a { text-decoration: none; } nav a:hover, nav a:focus-visible { text-decoration: underline; }
pre, .scroll { overflow-x: auto; } pre { padding: .9rem 1rem; background: var(--tint); border: 1px solid var(--line); border-radius: .5rem; }
code { font: .875em ui-monospace, monospace; overflow-wrap: anywhere; } pre code { overflow-wrap: normal; }
table { border-collapse: collapse; width: 100%; } th, td { padding: .45rem .9rem .45rem 0; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
@media (max-width: 52rem) { body { display: block; } nav { position: static; height: auto; padding: 1rem 1.25rem; border-right: 0; border-bottom: 1px solid var(--line); } nav a { display: inline-block; margin-right: 1rem; } nav a:first-child { margin-bottom: 0; } }
`;

const policy = [
  `default-src 'none'`,
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  `img-src data:`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');
