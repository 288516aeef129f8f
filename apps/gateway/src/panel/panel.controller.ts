import type { IncomingMessage } from 'node:http';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { crmIds } from '@vaultsvc/contracts/integrations';
import { requestTarget } from '@vaultsvc/http';
import { GatewayConfig } from '../config.js';
import type { PageDocument } from '../pages/page-document.js';
import { ApiResponder } from '../exchange/api-responder.js';
import { exchanges } from '../exchange/exchange.js';
import { panelPage } from './panel-page.js';

/**
 * Serves the panels of the CRMs, which are clients of the API: the ticket in the fragment of their URL, which no server
 * receives, opens one record (OPEN-66).
 */
@Controller()
export class PanelController {
  readonly #pages: ReadonlyMap<string, PageDocument>;

  constructor(
    private readonly responder: ApiResponder,
    { FORGE_ORIGIN, CRMA_FRAME_ORIGINS, CRMB_FRAME_ORIGINS }: GatewayConfig,
  ) {
    const origins = { crma: CRMA_FRAME_ORIGINS, crmb: CRMB_FRAME_ORIGINS };
    this.#pages = new Map(crmIds.map((id) => [`/panel/${id}`, panelPage(FORGE_ORIGIN, origins[id])]));
  }

  // With `@Res` Nest leaves the response to this method; Express would add an ETag.
  @Get('/panel/:app_id')
  panel(@Req() request: IncomingMessage, @Res() _: unknown): void {
    const { path } = requestTarget(request.url ?? '');
    const page = this.#pages.get(path); // paths match exactly (OPEN-55)
    if (!page) throw new AppError('NOT_FOUND');
    const exchange = exchanges.of(request);
    exchange.page = path;
    const { html, policy } = page;
    const form = { contentType: 'text/html; charset=utf-8', policy, isFramed: true };
    this.responder.sendPage(exchange, form, html);
  }
}
