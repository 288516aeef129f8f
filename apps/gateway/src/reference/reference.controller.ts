import type { IncomingMessage } from 'node:http';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { JSON_CONTENT_TYPE, requestTarget } from '@vaultsvc/http';
import { RequestAuthenticator } from '../access/request-authenticator.js';
import { ApiResponder, NO_CONTENT_POLICY } from '../exchange/api-responder.js';
import { GatewayConfig } from '../config.js';
import { acceptsHtml } from '../pages/accepts-html.js';
import { CompressedDocument } from '../pages/compressed-document.js';
import { ServedOperations } from '../pipeline/router.js';
import { exchanges, type Exchange } from '../exchange/exchange.js';
import { ASSETS_PATH, docsPage } from './docs-page.js';
import { errorsPage } from './errors-page.js';
import { guidePage, guidesPage } from './guide-page.js';
import { guides } from './guides.js';
import { missingPage } from './missing-page.js';
import { openApiOf } from './openapi/openapi.js';
import { files } from './reference-assets.js';
import { searchEntriesOf } from './search-entries.js';
import { pageModule } from './search/page-module.js';
import { SEARCH_ENTRIES, SEARCH_SCRIPT } from './search/search-paths.js';

const OPENAPI = '/v1/openapi.json';
const HTML = 'text/html; charset=utf-8';
const JAVASCRIPT = 'text/javascript; charset=utf-8';
const YEAR_SECONDS = 31_536_000;

interface Page {
  readonly page: string;
  readonly policy: string;
}

/** A document at a fixed path. */
interface Document {
  readonly contentType: string;
  readonly policy: string;
  readonly content: CompressedDocument;
  readonly maxAgeSeconds?: number;
}

/**
 * Serves the reference, its viewer and search, and the guides (OPEN-56). Each is made from the catalogue when it is first asked for: all of
 * them at once would be a tenth of a gateway's start. Requests for the document count on the caller's address (OPEN-10), those for
 * pages do not: they call nobody, and people behind one address read them together.
 */
@Controller()
export class ReferenceController {
  readonly #documents: ReadonlyMap<string, () => Document>;

  constructor(
    { list }: ServedOperations,
    private readonly authenticator: RequestAuthenticator,
    private readonly responder: ApiResponder,
    config: GatewayConfig,
  ) {
    const options = {
      version: config.BUILD_VERSION,
      origin: config.API_ORIGIN,
      linkOrigins: [config.LINK_ORIGIN, config.FILES_ORIGIN],
      forgeOrigin: config.FORGE_ORIGIN,
    };
    const pages: Record<string, () => Page> = {
      '/docs': () => docsPage(list, options),
      '/docs/errors': errorsPage,
      '/docs/guides': guidesPage,
      ...Object.fromEntries(guides.map((guide) => [`/docs/guides/${guide.name}`, () => guidePage(guide)])),
    };
    const openApi = () => JSON.stringify(openApiOf(list, options));
    const searchEntries = () => JSON.stringify(searchEntriesOf(list));
    const making: [string, () => Document][] = [
      [OPENAPI, () => document(JSON_CONTENT_TYPE, NO_CONTENT_POLICY, openApi())],
      [SEARCH_SCRIPT, () => document(JAVASCRIPT, NO_CONTENT_POLICY, pageModule)],
      [SEARCH_ENTRIES, () => document(JSON_CONTENT_TYPE, NO_CONTENT_POLICY, searchEntries())],
      ...Object.entries(pages).map(([path, page]): [string, () => Document] => [path, () => pageOf(page())]),
      ...Object.entries(files).map(([name, brotli]): [string, () => Document] => [
        `${ASSETS_PATH}${name}`,
        () => assetOf(brotli),
      ]),
    ];
    this.#documents = new Map(making.map(([path, make]) => [path, madeOnce(make)]));
  }

  // With `@Res` Nest leaves the response to this method; Express would add an ETag.
  @Get([
    OPENAPI,
    SEARCH_SCRIPT,
    SEARCH_ENTRIES,
    '/docs',
    '/docs/errors',
    '/docs/errors/*path',
    '/docs/guides',
    '/docs/guides/*path',
    '/docs/assets/*path',
  ])
  async send(@Req() request: IncomingMessage, @Res() _: unknown): Promise<void> {
    // Express also routes `/DOCS/` here; paths match exactly (OPEN-55).
    const { path } = requestTarget(request.url ?? '');
    const found = this.#documents.get(path)?.();
    const exchange = exchanges.of(request);
    if (!found) return this.#sendMissing(exchange, request, path);
    exchange.page = path;
    if (path === OPENAPI)
      exchange.window = (await this.authenticator.countAnonymous(exchange.caller.ip)).window;
    const { content, ...form } = found;
    const { body, encoding } = content.encodedFor(request);
    this.responder.sendPage(exchange, { ...form, encoding }, body);
  }

  /** People get a page, which leads on; to programs an unknown path is an error like any other (OPEN-55). */
  #sendMissing(exchange: Exchange, request: IncomingMessage, path: string): void {
    if (!acceptsHtml(request) || !path.startsWith('/docs/')) throw new AppError('NOT_FOUND');
    const { page, policy } = missingPage();
    const form = { contentType: HTML, policy, status: 404, maxAgeSeconds: null };
    this.responder.sendPage(exchange, form, Buffer.from(page));
  }
}

function pageOf({ page, policy }: Page): Document {
  return document(HTML, policy, page);
}

function assetOf(brotli: string): Document {
  const content = CompressedDocument.ofBrotli(brotli);
  return { contentType: JAVASCRIPT, policy: NO_CONTENT_POLICY, content, maxAgeSeconds: YEAR_SECONDS };
}

function document(contentType: string, policy: string, text: string): Document {
  return { contentType, policy, content: CompressedDocument.of(text) };
}

function madeOnce<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
