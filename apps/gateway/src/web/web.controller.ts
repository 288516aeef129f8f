import type { IncomingMessage } from 'node:http';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { CONSOLE_CALLBACK } from '@vaultsvc/contracts/auth';
import { requestTarget } from '@vaultsvc/http';
import { GatewayConfig } from '../config.js';
import { ApiResponder, NO_CONTENT_POLICY, type PageForm } from '../exchange/api-responder.js';
import { exchanges } from '../exchange/exchange.js';
import { acceptsHtml } from '../pages/accepts-html.js';
import { readWebFiles, WEB_INDEX, webFolderOf, type WebFile } from './web-files.js';
import { isReadByPreview, PREVIEW_PATH, previewPolicy, WEB_PATH, webPolicy } from './web-policy.js';

/** Paths of the application: names of places and ids. */
const APP = /^\/app(?:\/[\w-]+)*$/;
const YEAR_SECONDS = 31_536_000;

/**
 * Serves the web application (`apps/web`), a client of the API like any other: one page for all its paths, which reads them itself, and its
 * files. No request here is counted or asks a service (OPEN-10).
 */
@Controller()
export class WebController {
  readonly #policy: string;
  readonly #previewPolicy: string;
  #reading: Promise<ReadonlyMap<string, WebFile>> | undefined;

  constructor(
    private readonly responder: ApiResponder,
    private readonly config: GatewayConfig,
  ) {
    this.#policy = webPolicy(config);
    this.#previewPolicy = previewPolicy(config);
  }

  /**
   * Asked for again at each visit, and answered with 304 until the next release. Not stored with a query, in which a provider of an
   * integration leads back with an authorization code.
   */
  // With `@Res` Nest leaves the response to this method; Express would add an ETag.
  @Get(['/app', '/app/*path'])
  page(@Req() request: IncomingMessage, @Res() _: unknown): Promise<void> {
    const { path, query } = requestTarget(request.url ?? '');
    // To programs these paths are unknown; they match exactly (OPEN-55).
    if (!APP.test(path) || !acceptsHtml(request)) throw new AppError('NOT_FOUND');
    const caching = query === '' ? { maxAgeSeconds: 0 } : { maxAgeSeconds: null, etag: undefined };
    return this.#send(request, WEB_INDEX, '/app', { policy: this.#policy, ...caching });
  }

  /** The redirect URI at the identity provider (OPEN-65). Not stored, because the URL contains an authorization code. */
  @Get(CONSOLE_CALLBACK)
  callback(@Req() request: IncomingMessage, @Res() _: unknown): Promise<void> {
    if (requestTarget(request.url ?? '').path !== CONSOLE_CALLBACK) throw new AppError('NOT_FOUND');
    const form = { policy: this.#policy, maxAgeSeconds: null, etag: undefined };
    return this.#send(request, WEB_INDEX, CONSOLE_CALLBACK, form);
  }

  /** A file, whose name changes with its content. */
  @Get(`${WEB_PATH}*path`)
  file(@Req() request: IncomingMessage, @Res() _: unknown): Promise<void> {
    const { path } = requestTarget(request.url ?? '');
    const name = path.startsWith(WEB_PATH) ? path.slice(WEB_PATH.length) : '';
    if (name === WEB_INDEX) throw new AppError('NOT_FOUND');
    if (path === PREVIEW_PATH) return this.#preview(request);
    // The scripts of the document of previews are read from an opaque origin. All files here are public.
    const isForAnyOrigin = isReadByPreview(request);
    const form = {
      policy: NO_CONTENT_POLICY,
      maxAgeSeconds: YEAR_SECONDS,
      isImmutable: true,
      isForAnyOrigin,
    };
    return this.#send(request, name, WEB_PATH, form);
  }

  /** The document in which the application shows files; its name stays, so that it is asked for again. */
  #preview(request: IncomingMessage): Promise<void> {
    const form = { policy: this.#previewPolicy, maxAgeSeconds: 0, isFramed: true };
    return this.#send(request, PREVIEW_PATH.slice(WEB_PATH.length), PREVIEW_PATH, form);
  }

  /** @param page for the log; the path of the page itself may have an id */
  async #send(
    request: IncomingMessage,
    name: string,
    page: string,
    form: Omit<PageForm, 'contentType'>,
  ): Promise<void> {
    const found = (await this.#files()).get(name);
    if (!found) throw new AppError('NOT_FOUND');
    const { content, contentType, hash } = found;
    const exchange = exchanges.of(request);
    exchange.page = page;
    const { body, encoding } = content.encodedFor(request);
    // A strong tag names the bytes, and so the coding (RFC 9110, 8.8.3).
    const etag = `"${hash}-${encoding ?? 'plain'}"`;
    this.responder.sendPage(exchange, { etag, ...form, contentType, encoding }, body);
  }

  /** Reads the files once for all requests; after a failure, again. */
  #files(): Promise<ReadonlyMap<string, WebFile>> {
    this.#reading ??= readWebFiles(webFolderOf(this.config.WEB_FOLDER)).catch((error: unknown) => {
      this.#reading = undefined;
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map<string, WebFile>();
      throw error;
    });
    return this.#reading;
  }
}
