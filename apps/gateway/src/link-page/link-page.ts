import { createHash } from 'node:crypto';
import { pageScript } from './page-script.js';

/** The page of every link with its content security policy. */
export interface LinkPage {
  readonly html: Buffer;
  /** For `Sec-Purpose: prefetch`: without the script, so that a prefetch opens no link. */
  readonly prefetchHtml: Buffer;
  /** For the root of both origins, without a script. */
  readonly rootHtml: Buffer;
  /** The `Content-Security-Policy` of all. */
  readonly policy: string;
}

/**
 * Builds the page of SparkLinks: the same bytes for every code, known or not, on both origins (OPEN-23). Style and script
 * are inline, and the policy lets nothing else load or run.
 * @param forgeOrigin from which the page reads the progress of a download
 */
export function linkPage(forgeOrigin: string): LinkPage {
  return {
    html: Buffer.from(documentOf(`${pageBody}<script>${pageScript}</script>`, preview)),
    prefetchHtml: Buffer.from(documentOf(prefetchBody, preview)),
    rootHtml: Buffer.from(documentOf(rootBody, rootPreview)),
    policy: policyFor(forgeOrigin),
  };
}

/** The text of link previews, which reveals nothing of the content. */
const preview = {
  title: 'Something was shared with you',
  description: 'Open this private link in your browser to see what was shared with you.',
};
const rootPreview = {
  title: 'Private links open here',
  description: 'Texts, files and addresses are shared here by private links.',
};

function documentOf(body: string, { title, description }: typeof preview): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow, noarchive">
<meta name="description" content="${description}">
<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${pageStyle}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

/** Allows style and script by their hashes: a nonce would make each response a different page. */
function policyFor(forgeOrigin: string): string {
  return [
    `default-src 'none'`,
    `script-src '${hashOf(pageScript)}'`,
    `style-src '${hashOf(pageStyle)}'`,
    `connect-src 'self' ${forgeOrigin}`,
    'img-src data:',
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
  ].join('; ');
}

function hashOf(source: string): string {
  return `sha256-${createHash('sha256').update(source).digest('base64')}`;
}

const brand =
  '<p class="brand"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 2l2.4 7.6L22 12l-7.6 2.4L12 22l-2.4-7.6L2 12l7.6-2.4z"/></svg>vaultsvc</p>';

/** The initial screen, and the text for browsers without JavaScript. The script replaces stage, below and status. */
const pageBody = `<main>
${brand}
<div id="stage" class="opening"><h1 tabindex="-1">Checking your link</h1><p>This takes a moment.</p></div>
<div id="below"></div>
<p id="status" role="status"></p>
<noscript><h1>This page needs JavaScript</h1>
<p>A script shows what was shared, so that previews and mail scanners cannot use the link up. Nothing has been opened. Allow JavaScript and reload the page.</p></noscript>
</main>`;

/** The page of a prefetch. Loaded again by its button, it has the script. */
const prefetchBody = `<main>
${brand}
<h1>Your link is ready</h1>
<p>Your browser has loaded this page ahead of time. Nothing has been opened.</p>
<p class="actions"><a class="button" href="">Open the link</a></p>
</main>`;

/** Visitors arrive at the root with a link that lost its code. */
const rootBody = `<main>
${brand}
<h1>Private links open here</h1>
<p>This address shows what somebody shared by a private link: a text, a file, or another address.</p>
<p>If you have followed a link to this page, the link may be incomplete. Copy all of it into the address bar, or ask the sender for it again.</p>
</main>`;

const pageStyle = `
:root { color-scheme: light dark; --ink: #1a1f2b; --soft: #566072; --line: #d9dfe9; --edge: #7b859a; --paper: #fff; --ground: #f2f4f8;
  --accent: #2456d6; --on-accent: #fff; --tint: #eaf0fd; --bad: #a4161a; --bad-tint: #fdeeee; --warn: #8a5300; --warn-tint: #fdf3e1; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ef; --soft: #9aa4b5; --line: #2f3747; --edge: #6f7a90; --paper: #171c26; --ground: #0f131a;
  --accent: #86a8ff; --on-accent: #0f131a; --tint: #202b45; --bad: #ff9d9d; --bad-tint: #33191c; --warn: #f3c069; --warn-tint: #33270f; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; min-height: 100dvh; padding: 1rem; display: flex; flex-direction: column; align-items: center; justify-content: center;
  font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--ground); }
main { width: 100%; max-width: 34rem; padding: clamp(1.25rem, 6vw, 2.25rem); background: var(--paper); border: 1px solid var(--line); border-radius: .85rem; }
.brand { display: flex; align-items: center; gap: .45rem; margin: 0 0 1.75rem; font-weight: 650; }
.brand svg { width: 1.25rem; fill: var(--accent); }
.badge { display: grid; place-items: center; width: 3rem; height: 3rem; margin-bottom: 1rem; border-radius: 50%; color: var(--accent); background: var(--tint); }
.badge svg { width: 1.5rem; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
.warning { color: var(--warn); background: var(--warn-tint); } .gone, .trouble { color: var(--bad); background: var(--bad-tint); }
h1 { margin: 0 0 .6rem; font-size: 1.5rem; line-height: 1.25; outline: none; overflow-wrap: anywhere; text-wrap: balance; }
p { margin: 0 0 1rem; overflow-wrap: anywhere; } main p:last-child { margin-bottom: 0; }
.hint, .size, .sharer, #status { color: var(--soft); font-size: .9rem; } .hint:empty, .problem:empty, [hidden] { display: none; }
#status { min-height: 1.6em; margin: .5rem 0 -.75rem; }
.name { margin: 0; font-weight: 600; } .name + .size { margin-top: .1rem; }
h2 { margin: 1.5rem 0 .6rem; font-size: 1.2rem; outline: none; } label { display: block; font-weight: 600; } label + .hint { margin: 0 0 .5rem; }
:is(input, textarea) { width: 100%; min-height: 2.75rem; margin: .1rem 0 .5rem; padding: .55rem .75rem; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--edge); border-radius: .5rem; }
.code { font-family: ui-monospace, monospace; font-size: 1.4rem; letter-spacing: .3em; }
[aria-invalid=true] { border-color: var(--bad); }
.problem { padding: .7rem .9rem; color: var(--bad); background: var(--bad-tint); border-radius: .5rem; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin: .5rem 0 1rem; } .actions:last-child { margin-bottom: 0; }
button, .button { flex: 1 1 9rem; min-height: 2.75rem; padding: .55rem 1.1rem; font: inherit; font-weight: 600; text-align: center; text-decoration: none; color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: .5rem; cursor: pointer; }
.quiet { color: var(--accent); background: none; border-color: var(--line); }
button:hover, .button:hover { filter: brightness(1.08); } [aria-disabled=true] { color: var(--soft); background: var(--ground); border-color: var(--line); cursor: default; }
a { color: var(--accent); }
:is(input, textarea, button, a, pre):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
pre, .url, .veil { margin: .75rem 0 1rem; padding: .9rem 1rem; background: var(--ground); border: 1px solid var(--line); border-radius: .5rem; }
pre, .url { max-height: 50vh; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; font: .9rem/1.5 ui-monospace, monospace; }
.veil { color: var(--soft); text-align: center; }
progress { width: 100%; height: .6rem; margin: .5rem 0 .25rem; accent-color: var(--accent); }
.opening::before { content: ""; display: block; width: 3rem; height: 3rem; margin-bottom: 1rem; border: 3px solid var(--line); border-top-color: var(--accent); border-radius: 50%; animation: turn 1.6s linear infinite; }
@keyframes turn { to { transform: rotate(1turn); } }
@media (prefers-reduced-motion: reduce) { .opening::before { animation: none; } }
@media (scripting: none) { #stage { display: none; } }
`
  .replace(/\n\s*/g, '')
  .replace(/ ?([{}:;,>]) ?/g, '$1')
  .replaceAll(';}', '}');
