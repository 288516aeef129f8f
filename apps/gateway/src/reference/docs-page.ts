import { createHash } from 'node:crypto';
import type { PublicOperation } from '@vaultsvc/contracts';
import { apiResources, inReadingOrder, resourceOf } from './operations/api-resources.js';
import { docsHeader } from './docs-header.js';
import { guides } from './guides.js';
import { html, Html, pageHead } from './html.js';
import type { ReferenceOptions } from './openapi/reference-options.js';
import { isLinkOperation, titleOf } from './operations/operation-documentation.js';
import { pageScript, pageStyle } from './page-script.js';
import { entry, version } from './reference-assets.js';

/** Where the files of the viewer are. The path has its version: instances of two releases run side by side. */
export const ASSETS_PATH = `/docs/assets/${version}/`;

/**
 * The reference: a plain list of the operations, which the viewer replaces by the whole, with the content security policy.
 * The page loads nothing from other servers; the console in it sends to the origins of the platform.
 */
export function docsPage(
  operations: readonly PublicOperation[],
  options: ReferenceOptions,
): { page: string; policy: string } {
  const { text } =
    html`${pageHead('vaultsvc API', pageStyle)}<body data-viewer="${ASSETS_PATH}${entry}" data-document="/v1/openapi.json">
${docsHeader('reference')}<main id="list">
<h1>vaultsvc API</h1>
<p>Version ${options.version} at <code>${options.origin}</code>. This is a list of the operations; with JavaScript it becomes the whole reference, with fields, errors, samples and a console. The same as <a href="/v1/openapi.json">OpenAPI 3.1</a>.</p>
<h2>Guides</h2>
<ul>${guides.map(({ name, title }) => html`<li><a href="/docs/guides/${name}">${title}</a></li>`)}</ul>
${listOf(inReadingOrder(operations))}
</main>
${new Html(`<script>${pageScript}</script>`)}
</body>
</html>
`;
  return { page: text, policy: policyOf(options) };
}

function listOf(operations: readonly PublicOperation[]): Html[] {
  return apiResources.map(({ name, description }) => {
    const own = operations.filter(({ http }) => resourceOf(http.path)?.name === name);
    if (own.length === 0) return html``;
    return html`<h2>${name}</h2><p>${description}</p><ul>${own.map(lineOf)}</ul>`;
  });
}

function lineOf(op: PublicOperation): Html {
  const place = isLinkOperation(op) ? ' at the origin of the link' : '';
  return html`<li>${titleOf(op)} <code class="path">${op.http.method} ${op.http.path}</code>${place}</li>`;
}

/** The viewer sets styles by script; scripts run from this origin only. */
function policyOf({ origin, linkOrigins, forgeOrigin }: ReferenceOptions): string {
  const hash = createHash('sha256').update(pageScript).digest('base64');
  return [
    `default-src 'none'`,
    `script-src 'self' 'sha256-${hash}'`,
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' data:`,
    ["connect-src 'self'", origin, ...linkOrigins, forgeOrigin].join(' '),
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}
