import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { NOTHING_LOADS } from '../answer/answers.js';
import { GatewayConfig } from '../config.js';
import { linkPage } from '../link-page/link-page.js';
import type { LinkDocument } from './link-answers.js';
import { isPrefetch } from './visitor-rules.js';

/** A document, and the template of its path for the log. */
interface Shown extends LinkDocument {
  readonly route: string;
}

const robots: Shown = {
  route: '/robots.txt',
  body: Buffer.from('User-agent: *\nDisallow: /\n'),
  headers: ['Content-Security-Policy', NOTHING_LOADS, 'Content-Type', 'text/plain; charset=utf-8'],
};

/** Paths of one segment that are asked for by habit and are no codes. The page brings its icon with it. */
const NO_CODES: ReadonlySet<string> = new Set(['/favicon.ico']);
const ONE_SEGMENT = /^\/[^/]+$/;

/** What can be read on link pages' origins. Made once; nothing of a request goes into it. */
@Injectable()
export class LinkDocuments {
  readonly #page: Shown;
  readonly #prefetched: Shown;

  constructor({ FORGE_ORIGIN }: GatewayConfig) {
    const { html, prefetchHtml, policy } = linkPage(FORGE_ORIGIN);
    const headers = ['Content-Security-Policy', policy, 'Content-Type', 'text/html; charset=utf-8'];
    const page = { route: '/{link_code}', headers };
    this.#page = { ...page, body: html };
    this.#prefetched = { ...page, body: prefetchHtml };
  }

  /** The same page for every code, known or not; the one without a script for whoever only fetches ahead. */
  find(path: string, request: IncomingMessage): Shown | undefined {
    if (path === robots.route) return robots;
    if (!ONE_SEGMENT.test(path) || NO_CODES.has(path)) return undefined;
    return isPrefetch(request) ? this.#prefetched : this.#page;
  }
}
