import { Secret } from './secret.js';
import type { Parser } from './parsers.js';

/** One server of a PostgreSQL URL. */
export interface PostgresServer {
  readonly host: string;
  readonly port: number;
}

const DEFAULT_PORT = 5_432;
/** Scheme with the user, the servers, and the rest: the database and the parameters. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#]*)(.*)$/s;
const SERVER = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:[\]]+))(?::(\d{1,5}))?$/;
const TARGET = 'target_session_attrs';

/**
 * A PostgreSQL URL, which may name several servers as that of libpq does: `postgres://user:password@a:5432,b:5432/vaultsvc`. A service
 * writes, so of several servers it always uses the one that accepts writes; `target_session_attrs` may say so, and nothing else.
 */
export class PostgresUrl {
  /** The URL with its first server alone, as clients of one server read it. */
  readonly url: URL;
  /** In their order; one, unless the URL names several. */
  readonly servers: readonly PostgresServer[];
  readonly #parts: readonly [before: string, servers: string, after: string];

  /** @throws with a message that completes "NAME …" and never contains the URL */
  constructor(text: string) {
    const [, before = '', servers = '', after = ''] = PARTS.exec(text) ?? [];
    const [first = ''] = servers.split(',');
    if (before === '' || !URL.canParse(before + first + after)) throw new Error('must be a PostgreSQL URL');
    this.#parts = [before, servers, after];
    this.url = new URL(before + first + after);
    this.servers = servers === '' ? [] : servers.split(',').map(serverOf);
    const target = this.url.searchParams.get(TARGET) ?? 'read-write';
    if (target !== 'read-write' && target !== 'primary')
      throw new Error(`must have no other ${TARGET} than read-write or primary, because services write`);
    if (this.url.searchParams.has(TARGET)) this.url.searchParams.delete(TARGET); // it rewrites the others
  }

  /** The name of the database. */
  get database(): string {
    return decodeURIComponent(this.url.pathname.slice(1));
  }

  /** The same servers and parameters with another database. */
  withDatabase(name: string): string {
    const [before, servers, after] = this.#parts;
    return `${before}${servers}/${encodeURIComponent(name)}${after.replace(/^\/[^?#]*/, '')}`;
  }

  /** Whether a server of both has the same database. */
  sharesDatabase(other: PostgresUrl): boolean {
    const nameOf = ({ host, port }: PostgresServer) => `${host}:${port}`;
    const names = other.servers.map(nameOf);
    return this.database === other.database && this.servers.some((server) => names.includes(nameOf(server)));
  }
}

function serverOf(text: string): PostgresServer {
  const [, address, name, port = String(DEFAULT_PORT)] = SERVER.exec(text) ?? [];
  const host = address ?? name;
  if (host === undefined || Number(port) > 65_535)
    throw new Error('must name servers as host:port,host:port');
  return { host: decodeURIComponent(host), port: Number(port) };
}

/** A PostgreSQL URL of one or several servers, as a `Secret`. */
export const postgresUrl: Parser<Secret> = (value) => {
  void new PostgresUrl(value);
  return new Secret(value);
};
