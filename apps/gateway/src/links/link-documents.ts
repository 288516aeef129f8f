import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { NO_CONTENT_POLICY } from '../exchange/api-responder.js';
import { GatewayConfig } from '../config.js';
import { linkPage } from '../link-page/link-page.js';
import type { LinkDocument } from './link-responder.js';
import { isPrefetch } from './link-request-rules.js';

/** A document with the path template for the log. */
interface RoutedDocument extends LinkDocument {
  readonly route: string;
}

const robots: RoutedDocument = {
  route: '/robots.txt',
  body: Buffer.from('User-agent: *\nDisallow: /\n'),
  headers: ['Content-Security-Policy', NO_CONTENT_POLICY, 'Content-Type', 'text/plain; charset=utf-8'],
};

/** Paths of one segment that browsers request and that are not link codes. The page contains its icon. */
const NOT_CODES: ReadonlySet<string> = new Set(['/favicon.ico']);
/** A code, also with the slash that people and programs append to links. */
const ONE_SEGMENT = /^\/[^/]+\/*$/;

/** The documents of link pages' origins. They are built once and contain nothing of a request. */
@Injectable()
export class LinkDocuments {
  readonly #page: RoutedDocument;
  readonly #prefetched: RoutedDocument;
  readonly #root: RoutedDocument;

  constructor({ FORGE_ORIGIN }: GatewayConfig) {
    const { html, prefetchHtml, rootHtml, policy } = linkPage(FORGE_ORIGIN);
    const headers = ['Content-Security-Policy', policy, 'Content-Type', 'text/html; charset=utf-8'];
    const page = { route: '/{link_code}', headers };
    this.#page = { ...page, body: html };
    this.#prefetched = { ...page, body: prefetchHtml };
    this.#root = { headers, route: '/', body: rootHtml };
  }

  /** The document of a path: the same page for every code, known or not; one without a script for a prefetch and the root. */
  find(path: string, request: IncomingMessage): RoutedDocument | undefined {
    if (path === robots.route) return robots;
    if (path === this.#root.route) return this.#root;
    if (!ONE_SEGMENT.test(path) || NOT_CODES.has(path)) return undefined;
    return isPrefetch(request) ? this.#prefetched : this.#page;
  }
}
