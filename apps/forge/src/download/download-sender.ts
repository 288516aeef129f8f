import { pipeline } from 'node:stream/promises';
import { Injectable, Logger } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { type FileVersion, unwrapFileKey } from '@vaultsvc/crypto/container';
import { lookupHash } from '@vaultsvc/crypto/tokens';
import { isLockTimeout } from '@vaultsvc/database';
import { ConnectionClosed } from '@vaultsvc/http';
import type { Permit } from '../fairness/permit.js';
import { IstkRepository } from '../istk/istk.repository.js';
import { assertUsable, istkRefused, type Istk } from '../istk/istk.js';
import type { ForgeExchange } from '../exchange/forge-exchange.js';
import { ByteBudget, BUDGET_BYTES_MAX, withinBudget } from './byte-budget.js';
import { ByteMeter, type MeteredDownload, type TransferredBytes } from './byte-meter.js';
import { RangeNotSatisfiable, type RequestedRange, requestedRange } from './byte-range.js';
import { ContentReader } from './content-reader.js';
import { downloadHeaders, validatorHeaders } from './download-headers.js';
import { DownloadTimeouts, startHeartbeat } from './download-heartbeat.js';
import { DownloadLimit } from './download-limit.js';
import { ResponseWritable } from './response-writable.js';
import { RunningDownloads } from './running-downloads.js';
import { isNotModified, validatorsOf, type Validators } from './validators.js';

const SETTLE_ATTEMPTS = 10;

/** A download within the limits of concurrency. */
interface AdmittedDownload {
  readonly exchange: ForgeExchange;
  readonly istk: Istk;
  readonly range: RequestedRange;
  readonly permit: Permit;
}

/** A download that has its first bytes, both of content and of budget. */
interface StartedDownload extends AdmittedDownload {
  readonly metered: MeteredDownload;
  readonly plaintext: AsyncGenerator<Buffer[], void>;
  readonly budget: ByteBudget;
}

/**
 * Sends the content of an ISTK. The ISTK is consumed after every other check: a request that is malformed, for another
 * kind of ISTK, or for unreadable content leaves it unused.
 */
@Injectable()
export class DownloadSender {
  readonly #logger = new Logger('downloads');

  constructor(
    private readonly istks: IstkRepository,
    private readonly meter: ByteMeter,
    private readonly contents: ContentReader,
    private readonly timeouts: DownloadTimeouts,
    private readonly limit: DownloadLimit,
    private readonly running: RunningDownloads,
  ) {}

  /** Owns the secret, and fills it with 0. Throws the error to send; after the first byte, the reason of the cut. */
  async send(exchange: ForgeExchange, secret: Buffer): Promise<void> {
    try {
      const istk = await this.istks.find(lookupHash('istk', secret));
      assertUsable(istk, 'decrypt');
      exchange.accountId = istk.accountId;
      const validators = validatorsOf(istk);
      if (isNotModified(exchange.request.headers, validators)) return sendNotModified(exchange, validators);
      const range = this.#rangeOf(exchange, istk, validators);
      await this.limit.run(exchange, istk, (permit) =>
        this.#sendContent({ exchange, istk, range, permit }, secret),
      );
    } finally {
      secret.fill(0);
    }
  }

  async #sendContent(download: AdmittedDownload, secret: Buffer): Promise<void> {
    const { exchange, istk, range } = download;
    const content = this.contents.read(fileOf(istk), unwrapKey(istk, secret), range);
    try {
      const first = await content.next();
      const { metered, budget } = await this.#start(exchange, istk, range);
      const body = new ResponseWritable(exchange.response, this.timeouts.stallMs);
      const started = { ...download, metered, plaintext: withinBudget(first, content, budget), budget };
      await this.running.track(body, this.#sendAll(started, body));
    } catch (error) {
      this.#log(exchange, istk, error);
      throw error;
    } finally {
      await content.return();
    }
  }

  #rangeOf(
    { request, response }: ForgeExchange,
    { sizeBytes }: Istk,
    validators: Validators,
  ): RequestedRange {
    try {
      return requestedRange(request.headers, sizeBytes, validators);
    } catch (error) {
      if (error instanceof RangeNotSatisfiable) response.setHeader('Content-Range', `bytes */${sizeBytes}`);
      throw error;
    }
  }

  /** After this the ISTK is used, even if the response fails. */
  async #start({ response }: ForgeExchange, istk: Istk, { bytes }: RequestedRange) {
    if (response.closed) throw new ConnectionClosed('the caller closed the connection');
    const firstBytes = Math.min(BUDGET_BYTES_MAX, bytes);
    const metered = await this.meter.start(istk, bytes, firstBytes);
    return { metered, budget: new ByteBudget(this.meter, metered, bytes, firstBytes) };
  }

  async #sendAll(
    { exchange, istk, range, permit, metered, plaintext, budget }: StartedDownload,
    body: ResponseWritable,
  ): Promise<void> {
    const { response } = exchange;
    const stopHeartbeat = startHeartbeat(this.meter, metered, this.timeouts, (reason) =>
      body.destroy(reason as Error),
    );
    const stopMeasuring = this.limit.allowEnding(permit, istk, body);
    try {
      response.writeHead(range.isPart ? 206 : 200, downloadHeaders(istk, range));
      await pipeline(plaintext, body);
    } finally {
      stopHeartbeat();
      stopMeasuring();
      await budget.close();
      const { sentBytes } = body;
      const isComplete = response.writableFinished && sentBytes === range.bytes;
      await this.#settle(exchange, metered, { sentBytes, isComplete });
    }
  }

  /** While the database is down this fails; SettleAbandonedDownloads does it later. */
  async #settle(
    { requestId }: ForgeExchange,
    metered: MeteredDownload,
    transferred: TransferredBytes,
  ): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.meter.settle(metered, transferred, requestId);
      } catch (error) {
        // Many downloads of one ISTK ended at once, and this one timed out waiting for the row lock.
        if (attempt < SETTLE_ATTEMPTS && isLockTimeout(error)) continue;
        return this.#logger.error({
          msg: 'a download is not settled yet',
          ...idsOf(metered.istk),
          requestId,
          err: error,
        });
      }
    }
  }

  /** Tampered content or a failing store: the client sees a cut connection, the operator the reason. */
  #log({ requestId }: ForgeExchange, istk: Istk, error: unknown): void {
    if (error instanceof AppError || error instanceof ConnectionClosed) return;
    this.#logger.error({ msg: 'content cannot be read', ...idsOf(istk), requestId, err: error });
  }
}

/** Answers 304, which leaves the ISTK unused. */
export function sendNotModified({ response }: ForgeExchange, validators: Validators): void {
  response.writeHead(304, validatorHeaders(validators)).end();
}

function fileOf(istk: Istk): FileVersion {
  return { ...istk, bytes: istk.sizeBytes };
}

function idsOf({ accountId, vaultId, ingotId, versionId }: Istk): object {
  return { accountId, vaultId, ingotId, versionId };
}

function unwrapKey(istk: Istk, secret: Buffer): Buffer {
  if (!istk.wrappedKey) throw istkRefused('ISTK_INVALID');
  return unwrapFileKey(secret, istk, { holder: 'istk', terms: istk.terms }, istk.wrappedKey);
}
