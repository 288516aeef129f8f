import type { GatewayConfig } from '../config.js';

/** Where the files of the web application are; `base` of its build. */
export const WEB_PATH = '/web/';

/**
 * The content security policy of the web application. Scripts come from its folder alone, because a hash would not admit their
 * imports; the default policy of Trusted Types is in `apps/web/src/trusted-types.ts`. It sends requests to the API, to Forge and
 * to the live feed.
 */
export function webPolicy({ API_ORIGIN, FORGE_ORIGIN }: GatewayConfig): string {
  const feed = API_ORIGIN.replace(/^http/, 'ws');
  return [
    `default-src 'none'`,
    `script-src ${API_ORIGIN}${WEB_PATH}`,
    `style-src 'self'`,
    `connect-src 'self' ${FORGE_ORIGIN} ${feed}`,
    'img-src data:',
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
    'trusted-types default',
  ].join('; ');
}
