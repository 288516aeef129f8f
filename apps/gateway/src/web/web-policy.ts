import type { IncomingMessage } from 'node:http';
import type { GatewayConfig } from '../config.js';

/** Where the files of the web application are; `base` of its build. */
export const WEB_PATH = '/web/';

/** The document in which the application shows files of vaults. */
export const PREVIEW_PATH = `${WEB_PATH}preview.html`;

/**
 * The content security policy of the web application. Scripts come from its folder alone, because a hash would not admit their
 * imports. It sends requests to the API, to Forge and to the live feed.
 */
export function webPolicy({ API_ORIGIN, FORGE_ORIGIN }: GatewayConfig): string {
  const feed = API_ORIGIN.replace(/^http/, 'ws');
  return [
    `default-src 'none'`,
    `script-src ${API_ORIGIN}${WEB_PATH}`,
    `style-src 'self'`,
    `connect-src 'self' ${FORGE_ORIGIN} ${feed}`,
    'img-src data:',
    `frame-src ${API_ORIGIN}${PREVIEW_PATH}`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ].join('; ');
}

/**
 * The policy of the document of previews (ADR 57). Its origin is opaque, also where it is opened by itself; it has scripts and styles of the
 * application's folder, pictures from its own memory, and no network. `'self'` names nothing there, so that the origin is named.
 */
export function previewPolicy({ API_ORIGIN }: GatewayConfig): string {
  return [
    'sandbox allow-scripts',
    `default-src 'none'`,
    `script-src ${API_ORIGIN}${WEB_PATH}`,
    `style-src ${API_ORIGIN}${WEB_PATH}`,
    'img-src blob: data:',
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors ${API_ORIGIN}`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ].join('; ');
}

/** Whether the document of previews may ask, whose origin is opaque: for a file of the application, which is the same for everybody. */
export function isReadByPreview({ method, url = '', headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.origin === 'null' && url.startsWith(WEB_PATH);
}
