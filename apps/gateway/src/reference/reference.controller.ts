import type { IncomingMessage } from 'node:http';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { JSON_CONTENT_TYPE, requestTarget } from '@vaultsvc/http';
import { RequestAuthenticator } from '../access/request-authenticator.js';
import { ApiResponder, NO_CONTENT_POLICY } from '../exchange/api-responder.js';
import { GatewayConfig } from '../config.js';
import { CompressedDocument } from '../pages/compressed-document.js';
import { ServedOperations } from '../pipeline/router.js';
import { exchanges } from '../exchange/exchange.js';
import { ASSETS_PATH, docsPage } from './docs-page.js';
import { errorsPage } from './errors-page.js';
import { guidePage } from './guide-page.js';
import { guides } from './guides.js';
import { openApiOf } from './openapi/openapi.js';
import { files } from './reference-assets.js';

const OPENAPI = '/v1/openapi.json';
const HTML = 'text/html; charset=utf-8';
const YEAR_SECONDS = 31_536_000;

/** A document at a fixed path. */
interface Document {
  readonly contentType: string;
  readonly policy: string;
  readonly content: CompressedDocument;
  readonly maxAgeSeconds?: number;
}

/**
 * Serves the reference, its viewer and the guides, made once from the catalogue (OPEN-56). Requests for the document count on
 * the caller's address (OPEN-10), those for pages do not: they call nobody, and people behind one address read them together.
 */
@Controller()
export class ReferenceController {
  readonly #documents: ReadonlyMap<string, Document>;

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
    const openApi = JSON.stringify(openApiOf(list, options));
    const { page, policy } = docsPage(list, options);
    const errors = errorsPage();
    this.#documents = new Map<string, Document>([
      [OPENAPI, document(JSON_CONTENT_TYPE, NO_CONTENT_POLICY, openApi)],
      ['/docs', document(HTML, policy, page)],
      ['/docs/errors', document(HTML, errors.policy, errors.page)],
      ...guides.map((guide): [string, Document] => {
        const rendered = guidePage(guide);
        return [`/docs/guides/${guide.name}`, document(HTML, rendered.policy, rendered.page)];
      }),
      ...Object.entries(files).map(([name, brotli]): [string, Document] => [
        `${ASSETS_PATH}${name}`,
        {
          contentType: 'text/javascript; charset=utf-8',
          policy: NO_CONTENT_POLICY,
          content: CompressedDocument.ofBrotli(brotli),
          maxAgeSeconds: YEAR_SECONDS,
        },
      ]),
    ]);
  }

  // With `@Res` Nest leaves the response to this method; Express would add an ETag.
  @Get([OPENAPI, '/docs', '/docs/errors', '/docs/guides/:name', '/docs/assets/*path'])
  async send(@Req() request: IncomingMessage, @Res() _: unknown): Promise<void> {
    // Express also routes `/DOCS/` here; paths match exactly (OPEN-55).
    const { path } = requestTarget(request.url ?? '');
    const found = this.#documents.get(path);
    if (!found) throw new AppError('NOT_FOUND');
    const exchange = exchanges.of(request);
    exchange.page = path;
    if (path === OPENAPI)
      exchange.window = (await this.authenticator.countAnonymous(exchange.caller.ip)).window;
    const { content, ...form } = found;
    const { body, encoding } = content.encodedFor(request);
    this.responder.sendPage(exchange, { ...form, encoding }, body);
  }
}

function document(contentType: string, policy: string, text: string): Document {
  return { contentType, policy, content: CompressedDocument.of(text) };
}
