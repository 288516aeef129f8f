import { createHash } from 'node:crypto';
import { schemaOf, type JsonSchema, type PublicOperation } from '@vaultsvc/contracts';
import { needsCredential } from '../access/assert-access.js';
import { script, style } from './docs-assets.js';
import { errorsOf } from './errors-of.js';
import { exampleOf } from './example-of.js';
import { fieldTable, optionalFieldTable, sessionTable } from './field-table.js';
import { html, Html } from './html.js';
import { aliasSentence, isOfLinks } from './link-operations.js';
import type { ReferenceOptions } from './openapi.js';
import { cookieSentence } from './session-parameters.js';

/** Services in the order in which a newcomer meets them. */
const groupTitles: readonly (readonly [string, string])[] = [
  ['sparks', 'Sparks'],
  ['vaults', 'Vaults'],
  ['auth', 'Keys, sessions and users'],
  ['notify', 'Notify'],
  ['integrations', 'Integrations'],
  ['reporting', 'Usage and audit'],
  ['gateway', 'Platform'],
];

/** The reference as one page, rendered here: no third party's content, and a CSP that lets in nothing else. */
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

/** The element and its name in the policy, made of one text: a blank between them and the page would block it. */
function inline(name: 'style' | 'script', source: string): { tag: Html; hash: string } {
  const hash = createHash('sha256').update(source).digest('base64');
  return { tag: new Html(`<${name}>${source}</${name}>`), hash: `sha256-${hash}` };
}

const styleTag = inline('style', style);
const scriptTag = inline('script', script);

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

const anchor = (op: PublicOperation) => op.name.replace('.', '-');
const findable = ({ name, summary, http }: PublicOperation) =>
  `${name} ${http.method} ${http.path} ${summary}`.toLowerCase();

function navigationLink(op: PublicOperation): Html {
  return html`<a href="#${anchor(op)}" data-find="${findable(op)}"
    >${op.summary.split(/[.:]/)[0] as string}</a
  >`;
}

function operationSection(op: PublicOperation, options: ReferenceOptions): Html {
  const { http, summary, params, query, body, reply } = op;
  const cookie = cookieSentence(op);
  return html`<section class="op" id="${anchor(op)}" data-find="${findable(op)}">
    <h3><span class="method">${http.method}</span> ${http.path}</h3>
    <p>${summary}</p>
    <p class="access">${accessSentence(op)}</p>
    ${placeOf(op, options)}
    ${sessionTable(op)}${fieldTable('Path', params)}${fieldTable('Query', query)}${fieldTable('Body', body)}
    <h4>Try it</h4>
    <pre>${curlOf(op, options)}</pre>
    <h4>Answer ${http.status}</h4>
    ${reply ? html`<pre>${JSON.stringify(exampleOf(schemaOf(reply)), null, 2)}</pre>` : html`<p>No content.</p>`}
    ${optionalFieldTable(reply)} ${cookie === undefined ? html`` : html`<p>${cookie}</p>`}
    <h4>Errors</h4>
    <div class="scroll">
      <table>
        ${errorsOf(op).map(
          ({ status, code, message }) =>
            html`<tr>
              <td>${status}</td>
              <td><code>${code}</code></td>
              <td>${message}</td>
            </tr>`,
        )}
      </table>
    </div>
  </section>`;
}

/** Of operations that are not at the API's origin, where they are. */
function placeOf(op: PublicOperation, { linkOrigins }: ReferenceOptions): Html {
  if (!isOfLinks(op)) return html``;
  const [link = '', files = ''] = linkOrigins;
  return html`<p>
    At <code>${link}</code> and <code>${files}</code>, where the code's page is, and not at the origin of the
    API. The answer has no envelope. ${aliasSentence(op) ?? ''}
  </p>`;
}

function accessSentence({ access: { credential, role, vat } }: PublicOperation): string {
  const kinds = {
    none: 'No credential.',
    optional: 'No credential; a session says who opens.',
    provider: 'Signed by the provider.',
    key: 'API key or session.',
    session: 'Session only; API keys are refused.',
    'identity-only': 'A session that has not completed its sign-up.',
  };
  return [
    kinds[credential],
    role ? 'Admins and owners.' : '',
    vat ? `A Vault Access Token that may ${vat}.` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

function curlOf(op: PublicOperation, { origin, linkOrigins }: ReferenceOptions): string {
  const { http, access, params, body } = op;
  const base = isOfLinks(op) ? linkOrigins[0] : origin;
  const values: Record<string, string> = params
    ? (exampleOf(schemaOf(params)) as Record<string, string>)
    : {};
  const path = Object.entries(values).reduce<string>(
    (text, [name, value]) => text.replace(`{${name}}`, value),
    http.path,
  );
  const header =
    access.credential === 'key' ? `-H "X-API-Key: $API_KEY"` : `-H "Authorization: Bearer $ACCESS_TOKEN"`;
  const lines = [
    `curl -X ${http.method} ${base}${path}`,
    ...(needsCredential(op) ? [header] : []),
    ...(access.vat ? [`-H "X-Vault-Access-Token: $VAT"`] : []),
    ...(body
      ? [`-H "Content-Type: application/json"`, `-d '${JSON.stringify(exampleBody(schemaOf(body)))}'`]
      : []),
  ];
  return lines.join(' \\\n  ');
}

/** The required fields, which make a call that works; all of them where none is required. */
function exampleBody(schema: JsonSchema): unknown {
  const example = exampleOf(schema) as object;
  const required = schema.required as readonly string[] | undefined;
  return required
    ? Object.fromEntries(Object.entries(example).filter(([name]) => required.includes(name)))
    : example;
}
