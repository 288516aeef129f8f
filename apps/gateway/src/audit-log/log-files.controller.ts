import type { IncomingMessage } from 'node:http';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { AppError, serviceContext } from '@vaultsvc/contracts';
import { readLogFile } from '@vaultsvc/contracts/reporting';
import { requestTarget } from '@vaultsvc/http';
import { Bus } from '@vaultsvc/messaging';
import { RequestAuthenticator } from '../access/request-authenticator.js';
import { GatewayConfig } from '../config.js';
import { ApiResponder, NO_CONTENT_POLICY } from '../exchange/api-responder.js';
import { exchanges } from '../exchange/exchange.js';

const LOG = '/v1/audit-logs/log/';
/** The checkpoint of C2SP tlog-tiles and the paths of its tiles: level, index in groups of three digits, width of a partial tile. */
const FILE =
  /^(?:s(?<shard>[1-9]\d{0,3})\/)?(?<path>checkpoint|tile\/(?:entries|\d{1,2})\/(?:x\d{3}\/)*\d{3}(?:\.p\/\d{1,3})?)$/;
/** A checkpoint is replaced every hour. A tile never changes. */
const CHECKPOINT_SECONDS = 60;
const TILE_SECONDS = 31_536_000;

/**
 * Serves the transparency log to everybody, without a credential, as C2SP tlog-tiles says: to those who verify it and to
 * witnesses (AUD-14). Requests count on the caller's address (OPEN-10).
 */
@Controller()
export class LogFilesController {
  constructor(
    private readonly authenticator: RequestAuthenticator,
    private readonly responder: ApiResponder,
    private readonly bus: Bus,
    private readonly config: GatewayConfig,
  ) {}

  // With `@Res` Nest leaves the response to this method; Express would add an ETag.
  @Get(`${LOG}*path`)
  async file(@Req() request: IncomingMessage, @Res() _: unknown): Promise<void> {
    const exchange = exchanges.of(request);
    exchange.page = `${LOG}*`;
    exchange.window = (await this.authenticator.countAnonymous(exchange.caller.ip)).window;
    const { shard, path } = this.#fileOf(request);
    const body = { path };
    const { content } = await this.bus.callShard(readLogFile, { body }, serviceContext(exchange), shard);
    if (content === null) throw new AppError('NOT_FOUND');
    const isCheckpoint = path === 'checkpoint';
    this.responder.sendPage(
      exchange,
      {
        contentType: isCheckpoint ? 'text/plain; charset=utf-8' : 'application/octet-stream',
        policy: NO_CONTENT_POLICY,
        maxAgeSeconds: isCheckpoint ? CHECKPOINT_SECONDS : TILE_SECONDS,
      },
      Buffer.from(content, 'base64'),
    );
  }

  /** The shard of a log, and the path in it. @throws NOT_FOUND for one that no file of a log has */
  #fileOf(request: IncomingMessage): { readonly shard: number; readonly path: string } {
    const { path: target } = requestTarget(request.url ?? '');
    const { shard: number, path } =
      (target.startsWith(LOG) && FILE.exec(target.slice(LOG.length))?.groups) || {};
    const shard = number === undefined ? 0 : Number(number);
    if (path === undefined || !this.config.SHARDS.includes(shard)) throw new AppError('NOT_FOUND');
    return { shard, path };
  }
}
