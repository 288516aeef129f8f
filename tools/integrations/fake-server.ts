import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { textOf, type Fields } from './fields.ts';
import { FOREIGN_HOST, isOwnHost } from '../stack/own-host.ts';

/** Longer than clients keep idle connections, so that they do not use one at the moment of its end. */
const KEEP_ALIVE_MS = 65_000;

const CALLS_KEPT = 5_000;
const BODY_BYTES_MAX = 1024 * 1024;

/** A call as a fake has received it. */
export interface ProviderCall {
  method: string;
  /** With the query. */
  path: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  /** Of the Authorization header; empty without one. */
  token: string;
  /** A parsed form or parsed JSON, which may be an array; empty without one. */
  body: Fields;
}

interface ProviderAnswer {
  /** 200 by default. */
  status?: number;
  headers?: Record<string, string>;
  /** JSON, or a text as it is. */
  body: unknown;
}

export type Route = (call: ProviderCall, ...parts: string[]) => ProviderAnswer | Promise<ProviderAnswer>;

/** What the fake does instead of answering. */
interface Fault {
  /** The beginning of the paths that it is about; all by default. */
  path?: string;
  /** `none` ends all faults. */
  mode: 'fail' | 'throttle' | 'timeout' | 'none';
  /** Calls until it ends; 1 by default. */
  count?: number;
  /** Of `fail`; 500 by default. */
  status?: number;
  /** Of `fail`. */
  body?: unknown;
  /** Seconds, of `throttle`; 1 by default. */
  retry_after?: number;
}

/**
 * A provider that answers the calls of an app, for local use and tests only. `GET /_calls` lists what it has received,
 * `DELETE /_calls` forgets it, and `POST /_faults` makes it fail, throttle or time out.
 */
export class FakeServer {
  calls: { at: string; method: string; path: string; body: object; status: number | null }[] = [];
  #faults: Required<Fault>[] = [];
  #host = '127.0.0.1';
  #server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    this.#answer(request, response).catch(() => response.destroy());
  });

  readonly routes;

  /** @param routes by method and path; the parts of the path that are `*` are arguments */
  constructor(routes: ReadonlyMap<string, Route>) {
    this.routes = [...routes].map(([name, route]) => ({ pattern: patternOf(name), route }));
  }

  /** @param routes as those of the constructor */
  addRoutes(routes: ReadonlyMap<string, Route>) {
    this.routes.push(...[...routes].map(([name, route]) => ({ pattern: patternOf(name), route })));
    return this;
  }

  /** @param port 0 for a free one */
  async start(port: number, host = '127.0.0.1') {
    this.#host = host;
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    const { port: actual } = this.#server.address() as AddressInfo;
    this.url = `http://${host}:${actual}`;
    return this;
  }

  url = '';

  fail({ path = '/', mode, count = 1, status = 500, body = {}, retry_after = 1 }: Fault) {
    if (mode === 'none') this.#faults = [];
    else this.#faults.push({ path, mode, count, status, body, retry_after });
  }

  async stop() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse) {
    if (!isOwnHost(request.headers.host, this.#host)) {
      request.resume();
      return send(response, { status: FOREIGN_HOST.status, body: FOREIGN_HOST.text });
    }
    const call = await readCall(request);
    const control = this.#control(call);
    if (control) return send(response, await control);
    const entry = {
      at: new Date().toISOString(),
      method: call.method,
      path: call.path,
      body: call.body,
      status: null,
    };
    this.calls.push(entry);
    if (this.calls.length > CALLS_KEPT) this.calls.shift();
    const answer = await (this.#faulty(call) ?? this.#route(call));
    if (!answer) return undefined; // the caller times out
    Object.assign(entry, { status: answer.status ?? 200 });
    return send(response, answer);
  }

  /** Requests of developers, tools and the page of the provider: they are not listed, and do not fail. */
  #control(call: ProviderCall) {
    const { method, path, headers, body } = call;
    if (path !== '/' && !path.startsWith('/_')) return undefined;
    if (isOfAnotherSite(headers))
      return { status: 403, body: { message: 'Only pages of this origin may do this.' } };
    if (path === '/_faults' && method === 'POST') {
      if (!isFault(body)) return { status: 400, body: { message: 'The mode of the fault is unknown.' } };
      this.fail(body);
      return { body: { ok: true } };
    }
    if (path !== '/_calls') return this.#route(call);
    const listed = this.calls;
    if (method === 'DELETE') this.calls = [];
    return { body: { calls: listed } };
  }

  /** @returns null: no answer at all */
  #faulty({ path }: ProviderCall): ProviderAnswer | null | undefined {
    const fault = this.#faults.find((one) => path.startsWith(one.path));
    if (!fault) return undefined;
    fault.count -= 1;
    if (fault.count <= 0) this.#faults = this.#faults.filter((one) => one !== fault);
    if (fault.mode === 'timeout') return null;
    if (fault.mode === 'fail') return { status: fault.status, body: fault.body };
    return {
      status: 429,
      headers: { 'Retry-After': String(fault.retry_after) },
      body: { ok: false, error: 'ratelimited' },
    };
  }

  async #route(call: ProviderCall) {
    const asked = `${call.method} ${call.path.split('?', 1)[0]}`;
    for (const { pattern, route } of this.routes) {
      const match = pattern.exec(asked);
      if (match) return route(call, ...match.slice(1).map(decodeURIComponent));
    }
    return { status: 404, body: { message: `no such method: ${asked}` } };
  }
}

function isFault(given: object): given is Fault {
  return 'mode' in given && /^(fail|throttle|timeout|none)$/.test(textOf(given.mode));
}

/** Whether a page of another site sends a request: a web page that a developer visits must not act as a provider. */
function isOfAnotherSite({ 'sec-fetch-site': site = 'none', 'sec-fetch-mode': mode }: IncomingHttpHeaders) {
  return site !== 'none' && site !== 'same-origin' && mode !== 'navigate';
}

/** @param name such as `GET /files/*` */
function patternOf(name: string) {
  return new RegExp(`^${name.replace(/[.]/g, '\\.').replaceAll('*', '([^/]+)')}$`);
}

async function readCall(request: IncomingMessage): Promise<ProviderCall> {
  const { method = '', url: path = '', headers } = request;
  const body = await text(request);
  if (body.length > BODY_BYTES_MAX) throw new Error('the body is too long');
  const [, token = ''] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? [];
  const { searchParams } = new URL(path, 'http://localhost');
  return {
    method,
    path,
    headers,
    token,
    query: Object.fromEntries(searchParams),
    body: parsed(headers, body),
  };
}

function parsed({ 'content-type': type = '' }: IncomingHttpHeaders, body: string): Fields {
  if (body === '') return {};
  if (type.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(body));
  try {
    return JSON.parse(body) as Fields;
  } catch {
    return { malformed: body };
  }
}

function send(response: ServerResponse, { status = 200, headers = {}, body }: ProviderAnswer) {
  const isText = typeof body === 'string';
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
  response.writeHead(status, { 'Content-Type': type, ...headers }).end(isText ? body : JSON.stringify(body));
}
