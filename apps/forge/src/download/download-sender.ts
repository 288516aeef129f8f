import { pipeline } from 'node:stream/promises';
import { Injectable, Logger } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { type FileVersion, unwrapFileKey } from '@vaultsvc/crypto/container';
import { lookupHash } from '@vaultsvc/crypto/tokens';
import { isLockTimeout } from '@vaultsvc/database';
import { ConnectionClosed } from '@vaultsvc/http';
import { ByteMeter, type TransferredBytes } from './byte-meter.js';
import { IstkRepository } from '../istk/istk.repository.js';
import { assertUsable, istkRefused, type Istk } from '../istk/istk.js';
import type { Exchange } from '../server/exchange.js';
import { ByteBudget, BUDGET_BYTES_MAX } from './byte-budget.js';
import { RangeNotSatisfiable, type RequestedRange, requestedRange } from './byte-range.js';
import { downloadHeaders } from './download-headers.js';
import { DownloadTimeouts, startHeartbeat } from './download-heartbeat.js';
import { ResponseWritable } from './response-writable.js';
import { RunningDownloads } from './running-downloads.js';
import { ContentReader } from './content-reader.js';

const SETTLE_ATTEMPTS = 10;

/** One download whose first byte is about to leave. */
interface Begun {
  readonly exchange: Exchange;
  readonly istk: Istk;
  readonly wanted: RequestedRange;
  readonly texts: AsyncGenerator<Buffer, void>;
  readonly allowance: ByteBudget;
}

/**
 * Answers with the content behind an ISTK. The ISTK is consumed last of all that can fail: a request that is malformed,
 * for another kind of ISTK, or for content that cannot be read leaves it as it was.
 */
@Injectable()
export class DownloadSender {
  readonly #logger = new Logger('downloads');

  constructor(
    private readonly istks: IstkRepository,
    private readonly steps: ByteMeter,
    private readonly stored: ContentReader,
    private readonly times: DownloadTimeouts,
    private readonly running: RunningDownloads,
  ) {}

  /** Takes the secret over, and fills it with 0. Throws what is to be answered; after the first byte, why it was cut. */
  async send(exchange: Exchange, secret: Buffer): Promise<void> {
    try {
      const istk = await this.istks.find(lookupHash('istk', secret));
      assertUsable(istk, 'decrypt');
      exchange.accountId = istk.accountId;
      await this.#sendContent(exchange, istk, this.#wantedOf(exchange, istk), secret);
    } finally {
      secret.fill(0);
    }
  }

  async #sendContent(exchange: Exchange, istk: Istk, wanted: RequestedRange, secret: Buffer): Promise<void> {
    const content = this.stored.read(fileOf(istk), openKey(istk, secret), wanted);
    try {
      const first = await content.next();
      const allowance = await this.#begin(exchange, istk, wanted);
      const sink = new ResponseWritable(exchange.response, this.times.stallMs);
      const begun = { exchange, istk, wanted, texts: metered(first, content, allowance), allowance };
      await this.running.track(sink, this.#sendAll(begun, sink));
    } catch (error) {
      this.#tell(exchange, istk, error);
      throw error;
    } finally {
      await content.return();
    }
  }

  #wantedOf({ request, response }: Exchange, { sizeBytes }: Istk): RequestedRange {
    try {
      return requestedRange(request.headers, sizeBytes);
    } catch (error) {
      if (error instanceof RangeNotSatisfiable) response.setHeader('Content-Range', `bytes */${sizeBytes}`);
      throw error;
    }
  }

  /** From here on the ISTK is used, whatever becomes of the answer. */
  async #begin({ response }: Exchange, istk: Istk, { bytes }: RequestedRange): Promise<ByteBudget> {
    if (response.closed) throw new ConnectionClosed('the caller closed the connection');
    const takenBytes = await this.steps.start(istk, Math.min(BUDGET_BYTES_MAX, bytes));
    return new ByteBudget(this.steps, istk, bytes, takenBytes);
  }

  async #sendAll({ exchange, istk, wanted, texts, allowance }: Begun, sink: ResponseWritable): Promise<void> {
    const { response } = exchange;
    const stopBeating = startHeartbeat(this.steps, istk, this.times, (reason) =>
      sink.destroy(reason as Error),
    );
    try {
      response.writeHead(wanted.isPart ? 206 : 200, downloadHeaders(istk, wanted));
      await pipeline(texts, sink);
    } finally {
      stopBeating();
      await allowance.close();
      const { sentBytes } = sink;
      const isComplete = response.writableFinished && sentBytes === wanted.bytes;
      await this.#settle(exchange, istk, { reservedBytes: allowance.reservedBytes, sentBytes, isComplete });
    }
  }

  /** What is not told of now, because the database is away, a job tells of later. */
  async #settle({ requestId }: Exchange, istk: Istk, sent: TransferredBytes): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.steps.settle(istk, sent, requestId);
      } catch (error) {
        // Many downloads of one ISTK ended at once, and this one waited too long for the row.
        if (attempt < SETTLE_ATTEMPTS && isLockTimeout(error)) continue;
        return this.#logger.error({
          msg: 'a download is not settled yet',
          ...idsOf(istk),
          requestId,
          err: error,
        });
      }
    }
  }

  /** Content that is not what was stored, or a store that fails: the caller sees a cut, the operator sees why. */
  #tell({ requestId }: Exchange, istk: Istk, error: unknown): void {
    if (error instanceof AppError || error instanceof ConnectionClosed) return;
    this.#logger.error({ msg: 'content cannot be read', ...idsOf(istk), requestId, err: error });
  }
}

function fileOf(istk: Istk): FileVersion {
  return { ...istk, bytes: istk.sizeBytes };
}

function idsOf({ accountId, vaultId, ingotId, versionId }: Istk): object {
  return { accountId, vaultId, ingotId, versionId };
}

function openKey(istk: Istk, secret: Buffer): Buffer {
  if (!istk.wrappedKey) throw istkRefused('ISTK_INVALID');
  return unwrapFileKey(secret, istk, { holder: 'istk', terms: istk.terms }, istk.wrappedKey);
}

async function* metered(
  first: IteratorResult<Buffer, void>,
  content: AsyncGenerator<Buffer, void>,
  allowance: ByteBudget,
): AsyncGenerator<Buffer, void> {
  for (let text = first; !text.done; text = await content.next()) {
    for (let rest = text.value; rest.length > 0;) {
      const bytes = allowance.spend(rest.length);
      if (bytes === 0) await allowance.refill();
      else yield rest.subarray(0, bytes);
      rest = rest.subarray(bytes);
    }
  }
}
