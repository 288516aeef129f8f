import type { IncomingMessage } from 'node:http';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { requestTarget } from '@vaultsvc/http';
import { GatewayConfig } from '../config.js';
import { ApiResponder, NO_CONTENT_POLICY, type PageForm } from '../exchange/api-responder.js';
import { exchanges } from '../exchange/exchange.js';
import { checksumOf, installableFiles, type InstallableFile } from './installable-file.js';
import { INSTALL_PATH, installPage } from './install-page.js';

interface Document {
  readonly form: PageForm;
  readonly body: Buffer;
}

/**
 * Serves the command line and the client of this release, with their checksums, and a page with the commands (PKG-03). The
 * addresses have no version, and an upgrade changes the files: so caches ask each time, and get 304 while nothing changed.
 */
@Controller()
export class InstallController {
  readonly #documents: ReadonlyMap<string, Document>;

  constructor(
    private readonly responder: ApiResponder,
    { BUILD_VERSION, API_ORIGIN }: GatewayConfig,
  ) {
    const files = installableFiles();
    const { page, policy } = installPage(files, { version: BUILD_VERSION, origin: API_ORIGIN });
    const form = { contentType: 'text/html; charset=utf-8', policy };
    const document = { form, body: Buffer.from(page) };
    this.#documents = new Map<string, Document>([
      [INSTALL_PATH, document],
      [`${INSTALL_PATH}/`, document],
      ...files
        .flatMap((file) => [file, checksumOf(file)])
        .map((file): [string, Document] => [`${INSTALL_PATH}/${file.name}`, documentOf(file)]),
    ]);
  }

  // With `@Res` Nest leaves the response to this method; Express would add an ETag.
  @Get([INSTALL_PATH, `${INSTALL_PATH}/:name`])
  send(@Req() request: IncomingMessage, @Res() _: unknown): void {
    const { path } = requestTarget(request.url ?? '');
    // Paths match exactly (OPEN-55).
    const found = this.#documents.get(path);
    if (!found) throw new AppError('NOT_FOUND');
    const exchange = exchanges.of(request);
    exchange.page = path;
    this.responder.sendPage(exchange, found.form, found.body);
  }
}

function documentOf({ name, contentType, body, hash }: InstallableFile): Document {
  const form = {
    contentType,
    policy: NO_CONTENT_POLICY,
    maxAgeSeconds: 0,
    etag: `"${hash}"`,
    fileName: name,
  };
  return { form, body };
}
