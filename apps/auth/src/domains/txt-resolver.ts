import { Resolver } from 'node:dns/promises';
import { Injectable, Logger } from '@nestjs/common';
import { AuthConfig } from '../config.js';

/** Timeout of one query to one server; the second query waits twice as long. */
const TRY_MS = 1_500;
const TRIES = 2;
const LOOKUP_MS_MAX = 5_000;

/** The result of a TXT query. */
export interface TxtResult {
  /** The TXT records, the strings of each concatenated (RFC 7208, 3.3); empty if the query failed. */
  readonly values: readonly string[];
  /** Whether DNS answered, be it that there is no such name or record. */
  readonly isConclusive: boolean;
  /** A description for the caller, without the values, which any owner of a name can choose. */
  readonly found: string;
}

/** Queries DNS for TXT records, at the servers of DNS_RESOLVERS or those of the system. */
@Injectable()
export class TxtResolver {
  readonly #logger = new Logger('dns');

  constructor(private readonly config: AuthConfig) {}

  /**
   * The TXT records of a name, following CNAMEs. A failed query is a result, not an error: only the owner of the name can
   * correct it. Times out after `withinMs`, 5 seconds at most.
   */
  async find(name: string, withinMs = LOOKUP_MS_MAX): Promise<TxtResult> {
    // A resolver for each query: its own source port is harder to spoof, and nothing is cached.
    const resolver = resolverOf(this.config.DNS_RESOLVERS);
    const timer = setTimeout(() => resolver.cancel(), Math.min(withinMs, LOOKUP_MS_MAX));
    try {
      const records = await resolver.resolveTxt(name);
      const values = records.map((strings) => strings.join(''));
      return { values, isConclusive: true, found: counted(records.length) };
    } catch (error) {
      const isConclusive = absences.has(codeOf(error));
      return { values: [], isConclusive, found: this.#explain(name, error) };
    } finally {
      clearTimeout(timer);
    }
  }

  #explain(name: string, error: unknown): string {
    const code = codeOf(error);
    const absence = absences.get(code);
    if (absence) return absence;
    this.#logger.warn({ msg: 'a DNS query failed', name, code });
    return failures.get(code) ?? 'The DNS servers could not be asked.';
  }
}

/** A resolver for these servers, or for those of the system if none is named. */
export function resolverOf(servers: readonly string[]): Resolver {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  if (servers.length > 0) resolver.setServers(servers);
  return resolver;
}

const absences = new Map([
  ['ENOTFOUND', 'There is no such name in DNS.'],
  ['ENODATA', 'The name has no TXT record.'],
]);

const failures = new Map([
  ['ETIMEOUT', 'The DNS servers did not answer in time.'],
  ['ECANCELLED', 'The DNS servers did not answer in time.'],
  ['ESERVFAIL', 'The DNS servers could not resolve the name (SERVFAIL).'],
  ['EREFUSED', 'The DNS servers refused the question (REFUSED).'],
]);

function counted(records: number): string {
  return records === 1
    ? 'One TXT record, with another value.'
    : `${records} TXT records, all with other values.`;
}

/** Errors that carry no code are faults of this program. */
function codeOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  return code;
}
