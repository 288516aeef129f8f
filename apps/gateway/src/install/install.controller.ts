import type { IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { requestTarget } from '@vaultsvc/http';
import { GatewayConfig } from '../config.js';
import { ApiResponder, NO_CONTENT_POLICY, type PageForm } from '../exchange/api-responder.js';
import { exchanges } from '../exchange/exchange.js';
import { checksumOf, readInstallableFiles, type InstallableFile } from './installable-file.js';
import { INSTALL_PATH, installPage } from './install-page.js';

interface Document {
  readonly form: PageForm;
  readonly body: Buffer;
}

/** `npm start` makes the packages once the stack is ready, which takes some seconds. */
const WAIT_MS = 60_000;
const LOOK_AGAIN_MS = 250;

/**
 * Serves the command line and the client of this release, with their checksums, and a page with the commands (PKG-03). The
 * addresses have no version, and an upgrade changes the files: so caches ask each time, and get 304 while nothing changed.
 */
@Controller()
export class InstallController {
  #reading: Promise<ReadonlyMap<string, Document>> | undefined;

  constructor(
    private readonly responder: ApiResponder,
    private readonly config: GatewayConfig,
  ) {}

  // With `@Res` Nest leaves the response to this method; Express would add an ETag.
  @Get([INSTALL_PATH, `${INSTALL_PATH}/:name`])
  async send(@Req() request: IncomingMessage, @Res() _: unknown): Promise<void> {
    const { path } = requestTarget(request.url ?? '');
    // Paths match exactly (OPEN-55).
    const found = (await this.#documents()).get(path);
    if (!found) throw new AppError('NOT_FOUND');
    const exchange = exchanges.of(request);
    exchange.page = path;
    this.responder.sendPage(exchange, found.form, found.body);
  }

  /** Reads the files once for all requests; after a failure, again. */
  #documents(): Promise<ReadonlyMap<string, Document>> {
    this.#reading ??= this.#read().catch((error) => {
      this.#reading = undefined;
      throw error;
    });
    return this.#reading;
  }

  async #read(): Promise<ReadonlyMap<string, Document>> {
    const until = Date.now() + WAIT_MS;
    const folder = this.config.INSTALL_FOLDER || join(dirname(process.argv[1] ?? ''), 'install');
    for (;;) {
      const files = await readInstallableFiles(folder).catch(missingFile);
      if (files) return this.#documentsOf(files);
      if (Date.now() > until) throw new AppError('NOT_FOUND');
      await setTimeout(LOOK_AGAIN_MS, undefined, { ref: false });
    }
  }

  #documentsOf(files: readonly InstallableFile[]): Map<string, Document> {
    const { BUILD_VERSION, API_ORIGIN } = this.config;
    const { page, policy } = installPage(files, { version: BUILD_VERSION, origin: API_ORIGIN });
    const document = {
      form: { contentType: 'text/html; charset=utf-8', policy },
      body: Buffer.from(page),
    };
    return new Map<string, Document>([
      [INSTALL_PATH, document],
      [`${INSTALL_PATH}/`, document],
      ...files
        .flatMap((file) => [file, checksumOf(file)])
        .map((file): [string, Document] => [`${INSTALL_PATH}/${file.name}`, documentOf(file)]),
    ]);
  }
}

function missingFile(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
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
