import {
  failureCodeOf,
  isSuccess,
  publicHost,
  retryAfterMs,
  sendOutbound,
  type OutboundReply,
} from '@vaultsvc/http';
import type { LookupFunction } from 'node:net';
import type { HttpSinkSettings } from '../../settings/sink-settings.js';
import { SinkFailure, type Sink, type SinkBatch } from './sink.js';

/** The caller's signal ends a request earlier. */
const TIMEOUT_MS = 300_000;

/** POSTs each batch. It follows no redirect, which would send entries and credential elsewhere. */
export class HttpSink implements Sink {
  constructor(private readonly settings: HttpSinkSettings) {}

  async send(batch: SinkBatch, signal: AbortSignal): Promise<void> {
    const reply = await this.#post(batch, signal);
    if (!isSuccess(reply))
      throw new SinkFailure(`HTTP ${reply.status}`, retryAfterMs(reply.headers['retry-after'], Date.now()));
  }

  /** Does nothing: each connection ends with its request. */
  close(): void {}

  /** The status says it all, so nothing else is read. */
  async #post({ id, lines }: SinkBatch, signal: AbortSignal): Promise<OutboundReply> {
    const url = this.settings.url.reveal();
    const sent = { url, headers: this.#headers(id), body: lines, signal, timeoutMs: TIMEOUT_MS };
    try {
      return await sendOutbound({ ...sent, ...this.#reachable(url), replyBytesMax: 0 });
    } catch (error) {
      throw new SinkFailure(failureCodeOf(error));
    }
  }

  #headers(id: string): Record<string, string> {
    const { name, authorization } = this.settings;
    return {
      'content-type': 'application/x-ndjson',
      'idempotency-key': `"${name}-${id}"`, // a string of RFC 8941, as the draft of the header has it
      ...(authorization && { authorization: authorization.reveal() }),
    };
  }

  #reachable(url: URL): { readonly lookup?: LookupFunction } {
    return this.settings.allowsPrivate ? {} : publicHost(url);
  }
}
