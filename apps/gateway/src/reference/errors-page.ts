import { createHash } from 'node:crypto';
import { errorReasons, errorStatus, type ErrorReason } from '@vaultsvc/contracts';
import { errorTopics, type ErrorTopic } from './error-topics.js';
import { html, Html } from './html.js';

/** The page of `details.docs`: every reason with its code and what the caller can do; without scripts. */
export function errorsPage(): { page: string; policy: string } {
  const topics = errorTopics();
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Errors · vaultsvc</title>
<link rel="icon" href="data:,">
${new Html(`<style>${style}</style>`)}
</head>
<body>
<nav aria-label="Topics"><a href="/docs">Reference</a>${topics.map(linkTo)}</nav>
<main>
<h1>Errors</h1>
${introduction}
${topics.map(sectionOf)}
</main>
</body>
</html>
`;
  return { page: text, policy };
}

const introduction = html`<p>An error is <code>{"error": {"code", "message", "details"}, "meta": {"api_version", "request_id"}}</code>. Handle its <code>code</code>, which has one HTTP status, or its <code>details.reason</code>, which is one of those below; both are stable. The message is for people and may change. <code>details.docs</code> links to the reason on this page.</p>
<p>Situations that you must not be able to tell apart have one reason: an unknown resource and one of another account, or an unknown key and a revoked one. Every 429 has <code>Retry-After</code> and <code>limit</code>, <code>used</code> and <code>resets_at</code> in its details. Names that a call has and its operation does not are ignored; <code>X-Ignored</code> lists them.</p>`;

function linkTo({ title }: ErrorTopic): Html {
  return html`<a href="#${anchorOf(title)}">${title}</a>`;
}

function sectionOf({ title, reasons }: ErrorTopic): Html {
  return html`<section><h2 id="${anchorOf(title)}">${title}</h2>${reasons.map(entryOf)}</section>
`;
}

/** Reasons are in capitals, so no topic has the anchor of one. */
function anchorOf(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-');
}

function entryOf(reason: ErrorReason): Html {
  const { code, message, help } = errorReasons[reason];
  return html`<article id="${reason}"><h3><a href="#${reason}">${reason}</a></h3>
<p class="code">${errorStatus[code]} ${code}</p><p>${message}</p>${help === undefined ? '' : html`<p>${help}</p>`}</article>
`;
}

const style = `
:root { color-scheme: light dark; --ink: light-dark(#1a1f2b, #e6e9ef); --soft: light-dark(#566072, #9aa4b5); --line: light-dark(#e2e6ee, #2a3140);
  --paper: light-dark(#fff, #12161e); --tint: light-dark(#f6f8fb, #1a2029); --accent: light-dark(#1d4fbf, #8fb0ff); }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; color: var(--ink); background: var(--paper); display: grid; grid-template-columns: 15rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 2rem 1.25rem; border-right: 1px solid var(--line); background: var(--tint); }
nav a { display: block; padding: .3rem 0; } nav a:first-child { margin-bottom: .8rem; font-weight: 600; }
main { padding: 2rem clamp(1.25rem, 4vw, 4rem) 4rem; max-width: 58rem; }
h1, h2, h3 { line-height: 1.25; } h2 { margin: 3rem 0 .5rem; } h3 { margin: 0; font: 600 1rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
a { color: var(--accent); text-decoration: none; } a:hover, a:focus-visible { text-decoration: underline; }
article { padding: 1rem 0; border-top: 1px solid var(--line); } article p { margin: .3rem 0 0; overflow-wrap: anywhere; }
article:target { margin: 0 -1rem; padding: 1rem; background: var(--tint); border-left: 3px solid var(--accent); }
.code { color: var(--soft); font-size: .875rem; } code { font: .875em ui-monospace, monospace; overflow-wrap: anywhere; }
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
