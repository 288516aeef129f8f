import { readFileSync } from 'node:fs';
import { browserScript } from '../../build/browser-script.ts';
import type { Route } from '../fake-server.ts';

const at = (file: string) => new URL(file, import.meta.url);
const read = (file: string) => readFileSync(at(file), 'utf8');

/**
 * The page of a provider, where a newcomer acts as a person of a workspace or CRM, and the files that it loads.
 * @param apiUrl the origin of our API, whose panels a CRM shows in a frame
 */
export function pageRoutes(provider: 'chat' | 'crma' | 'crmb', apiUrl: string): Map<string, Route> {
  const name = provider === 'chat' ? 'chat' : 'crm';
  const html = read(`${name}.html`).replace('data-provider=""', `data-provider="${provider}"`);
  const script = browserScript(at(`${name}.client.ts`));
  const answer = (type: string, body: string) => () => ({ headers: headersOf(type, apiUrl), body });
  return new Map<string, Route>([
    ['GET /', answer('text/html', html)],
    ['GET /_page/page.css', answer('text/css', read('page.css'))],
    [`GET /_page/${name}.js`, answer('text/javascript', script)],
  ]);
}

function headersOf(type: string, apiUrl: string) {
  return {
    'Content-Type': `${type}; charset=utf-8`,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': [
      `default-src 'none'`,
      `script-src 'self'`,
      `style-src 'self'`,
      `connect-src 'self'`,
      `img-src data:`,
      `frame-src ${apiUrl || `'none'`}`,
      `base-uri 'none'`,
      `form-action 'none'`,
      `frame-ancestors 'none'`,
    ].join('; '),
  };
}
