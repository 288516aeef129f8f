import type { IncomingMessage } from 'node:http';
import { acceptsHtml } from '../pages/accepts-html.js';

const PAGES = /^\/(?:app|docs)(?:\/[\w.-]+)*$/;

/** The page for a path without one: the start of a group of pages, or undefined. */
function startOf(path: string): string | undefined {
  if (path === '') return '/app';
  // The usage page of earlier releases, which people have as a bookmark.
  return path === '/console' || path === '/console/usage' ? '/app/usage' : undefined;
}

/**
 * The page that a person means by a path which is none, such as `/` and `/docs/`. Undefined for clients other than browsers:
 * to them an inexact path is unknown (OPEN-55).
 */
export function pageAliasOf(path: string, request: IncomingMessage): string | undefined {
  if (!acceptsHtml(request)) return undefined;
  const exact = path.replace(/\/+$/, '');
  const start = startOf(exact);
  if (start !== undefined) return start;
  return exact !== path && PAGES.test(exact) ? exact : undefined;
}
