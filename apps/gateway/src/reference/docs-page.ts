import { createHash } from 'node:crypto';
import type { PublicOperation } from '@vaultsvc/contracts';
import { anchor, findable, operationSection } from './docs-operation.js';
import { html, Html } from './html.js';
import type { ReferenceOptions } from './openapi.js';

/** Services in the order of the page. */
const groupTitles: readonly (readonly [string, string])[] = [
  ['sparks', 'Sparks'],
  ['vaults', 'Vaults'],
  ['auth', 'Keys, sessions and users'],
  ['notify', 'Notify'],
  ['integrations', 'Integrations'],
  ['reporting', 'Usage and audit'],
  ['gateway', 'Platform'],
];

/** The reference as one HTML page without third-party content, and the content security policy that allows no other. */
export function docsPage(
  operations: readonly PublicOperation[],
  options: ReferenceOptions,
): { page: string; policy: string } {
  const known = groupTitles.filter(([service]) => operations.some((op) => op.service === service));
  const others = [...new Set(operations.map(({ service }) => service))].filter(
    (service) => !known.some(([name]) => name === service),
  );
  const groups = [...known, ...others.map((name) => [name, name] as const)];
  const of = (service: string) => operations.filter((op) => op.service === service);
  const { text } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>vaultsvc API</title>
        ${styleTag.tag}
      </head>
      <body>
        <nav aria-label="Operations">
          <strong>vaultsvc API</strong
          ><input type="search" placeholder="Find an operation" aria-label="Find an operation" />
          <div class="list">
            ${groups.map(
              ([service, title]) =>
                html`<div data-group>
                  <h2>${title}</h2>
                  ${of(service).map(navigationLink)}
                </div>`,
            )}
          </div>
        </nav>
        <main>
          <h1>vaultsvc API</h1>
          ${introduction(options)}
          ${groups.map(
            ([service, title]) =>
              html`<div data-group>
                <h2>${title}</h2>
                ${of(service).map((op) => operationSection(op, options))}
              </div>`,
          )}
        </main>
        ${scriptTag.tag}
      </body>
    </html>`;
  const policy = `default-src 'none'; style-src '${styleTag.hash}'; script-src '${scriptTag.hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return { page: text, policy };
}

function introduction({ origin, version }: ReferenceOptions): Html {
  return html`<p>
      Version ${version} at <code>${origin}</code>. Bodies are JSON. Send <code>X-API-Key</code>, or
      <code>Authorization: Bearer</code> with the access token of a session. The same reference as
      <a href="/v1/openapi.json">OpenAPI 3.1</a>.
    </p>
    <p>
      A success is <code>{"data": …, "meta": …}</code>, a refusal
      <code>{"error": {"code", "message", "details"}, "meta": …}</code>. Times are epoch seconds. An account
      may make a fixed number of calls in a minute; <code>meta.quota</code> and the
      <code>RateLimit</code> header tell what is left.
    </p>`;
}

function navigationLink(op: PublicOperation): Html {
  return html`<a href="#${anchor(op)}" data-find="${findable(op)}"
    >${op.summary.split(/[.:]/)[0] as string}</a
  >`;
}

/** An element and its hash for the policy, made from the same string: one more blank and browsers would block it. */
function inline(name: 'style' | 'script', source: string): { tag: Html; hash: string } {
  const hash = createHash('sha256').update(source).digest('base64');
  return { tag: new Html(`<${name}>${source}</${name}>`), hash: `sha256-${hash}` };
}

/** Style and script of the reference page, inline and allowed by their hashes in its content security policy. */
const style = `
:root { color-scheme: light dark; --ink: light-dark(#1a1f2b, #e6e9ef); --soft: light-dark(#5b6475, #9aa4b5); --line: light-dark(#e2e6ee, #2a3140);
  --paper: light-dark(#fff, #12161e); --tint: light-dark(#f6f8fb, #1a2029); --accent: light-dark(#2456d6, #86a8ff); }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1rem; }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.5rem 1.25rem; border-right: 1px solid var(--line); background: var(--tint); font-size: .875rem; }
nav h2 { margin: 1.4rem 0 .3rem; font-size: .75rem; letter-spacing: .06em; text-transform: uppercase; color: var(--soft); }
nav a { display: block; padding: .2rem 0; overflow-wrap: anywhere; }
main { padding: 2.5rem clamp(1.25rem, 4vw, 4rem); max-width: 62rem; min-width: 0; }
h1 { margin: 0 0 .5rem; font-size: 1.9rem; } main h2 { margin: 3rem 0 0; } h3 { margin: 0 0 .4rem; font: 600 1.05rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
h4 { margin: 1.2rem 0 .3rem; font-size: .875rem; color: var(--soft); }
a { color: var(--accent); text-decoration: none; } a:hover, a:focus-visible { text-decoration: underline; }
input { width: 100%; margin-top: .75rem; padding: .5rem .65rem; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: .4rem; }
section.op { padding: 1.75rem 0; border-bottom: 1px solid var(--line); }
.method { color: var(--accent); margin-right: .6rem; }
.access { color: var(--soft); font-size: .875rem; }
pre { padding: .9rem 1rem; overflow-x: auto; background: var(--tint); border: 1px solid var(--line); border-radius: .5rem; font: .8125rem/1.5 ui-monospace, monospace; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .875rem; } td, th { padding: .4rem .8rem .4rem 0; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
th { font-weight: 600; color: var(--soft); } code { font: .9em ui-monospace, monospace; }
[hidden] { display: none !important; }
@media (max-width: 52rem) { body { display: block; } nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); } nav .list { display: none; } }
@media (max-width: 36rem) { tr { display: flex; flex-wrap: wrap; padding: .4rem 0; border-top: 1px solid var(--line); } td { padding: 0 .8rem 0 0; border: 0; overflow-wrap: anywhere; } td:last-child { flex-basis: 100%; } }
`;

const script = `
const input = document.querySelector('input');
const entries = [...document.querySelectorAll('[data-find]')];
const groups = [...document.querySelectorAll('[data-group]')];
input.addEventListener('input', () => {
  const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const entry of entries) entry.hidden = !words.every((word) => entry.dataset.find.includes(word));
  for (const group of groups) group.hidden = !group.querySelector('[data-find]:not([hidden])');
});
`;

const styleTag = inline('style', style);
const scriptTag = inline('script', script);
