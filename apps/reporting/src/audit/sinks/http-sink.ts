import { once } from 'node:events';
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { publicHost, retryAfterMs } from '@vaultsvc/http';
import type { HttpSinkSettings } from './sink-settings.js';
import { SinkFailure, type Sink, type SinkBatch } from './sink.js';

/**
 * POSTs each batch. It uses `node:https`, not `fetch`, because only that lets us check the address that a name resolves to
 * (`lookup`). It follows no redirect, which would send entries and credential elsewhere. Each request has its own connection,
 * so that none is written to one that the server has just closed.
 */
export class HttpSink implements Sink {
  constructor(private readonly settings: HttpSinkSettings) {}

  async send({ id, lines }: SinkBatch, signal: AbortSignal): Promise<void> {
    const url = this.settings.url.reveal();
    const options = { method: 'POST', agent: false, signal, headers: this.#headers(id, lines) };
    const response = await post(url, { ...options, ...this.#reachable(url) }, lines);
    response.destroy(); // The status says it all.
    const { statusCode: status = 0, headers } = response;
    if (status < 200 || status > 299)
      throw new SinkFailure(`HTTP ${status}`, retryAfterMs(headers['retry-after'], Date.now()));
  }

  /** Does nothing: each connection ends with its request. */
  close(): void {}

  #headers(id: string, lines: Buffer): Record<string, string | number> {
    const { name, authorization } = this.settings;
    return {
      'content-type': 'application/x-ndjson',
      'content-length': lines.length,
      'idempotency-key': `"${name}-${id}"`, // a string of RFC 8941, as the draft of the header has it
      ...(authorization && { authorization: authorization.reveal() }),
    };
  }

  #reachable(url: URL): RequestOptions {
    if (this.settings.allowsPrivate) return {};
    try {
      return publicHost(url);
    } catch (error) {
      throw new SinkFailure(codeOf(error));
    }
  }
}

async function post(url: URL, options: RequestOptions, body: Buffer): Promise<IncomingMessage> {
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options);
  request.on('error', ignore); // after the response: a server that answers early may close the connection
  try {
    request.end(body);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.on('error', ignore);
    return response;
  } catch (error) {
    throw new SinkFailure(codeOf(error));
  }
}

function codeOf(error: unknown): string {
  const { name, code } = error as { name?: string; code?: string };
  return name === 'AbortError' ? 'TIMEOUT' : (code ?? 'UNKNOWN');
}

function ignore(): void {}
