import { readFileSync } from 'node:fs';
import { browserScript } from '../../build/browser-script.ts';
import type { Route } from '../fake-server.ts';

const at = (file: string) => new URL(file, import.meta.url);
const read = (file: string) => readFileSync(at(file), 'utf8');

const chat = {
  script: 'chat',
  title: 'Emulated chat',
  purpose: 'Act as a person of a workspace in which the chat app is installed.',
  installations: 'workspaces',
};
const crm = {
  script: 'crm',
  title: 'Emulated CRM',
  purpose: 'Open a record as a person of a CRM in which the app is installed.',
  installations: 'installations',
};

/**
 * The page of a provider, where a newcomer acts as a person of a workspace or CRM, and the files that it loads.
 * @param apiUrl the origin of our API, whose panels a CRM shows in a frame
 */
export function pageRoutes(provider: 'chat' | 'crma' | 'crmb', apiUrl: string): Map<string, Route> {
  const page = provider === 'chat' ? chat : crm;
  const script = browserScript(at(`${page.script}.client.ts`));
  const answer = (type: string, body: string) => () => ({ headers: headersOf(type, apiUrl), body });
  return new Map<string, Route>([
    ['GET /', answer('text/html', htmlOf({ provider, ...page }))],
    ['GET /_page/page.css', answer('text/css', read('page.css'))],
    [`GET /_page/${page.script}.js`, answer('text/javascript', script)],
  ]);
}

/** @param texts of the template, by name */
function htmlOf(texts: Record<string, string>) {
  return read('page.html').replace(/\{\{(\w+)\}\}/g, (_, name: string) => texts[name] ?? '');
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
