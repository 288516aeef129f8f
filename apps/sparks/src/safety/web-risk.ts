import { Logger } from '@nestjs/common';
import type { WarningReason } from '@vaultsvc/contracts/sparks';
import type { Destination, SafetySource } from './destination.js';
import { ThreatList } from './threat-list.js';
import { threatTypes, type ThreatType, WebRiskApi, type HashSearch } from './web-risk-api.js';
import type { WebRiskAccess } from '../config.js';

const reasons: Readonly<Record<ThreatType, WarningReason>> = {
  MALWARE: 'malware',
  SOCIAL_ENGINEERING: 'social_engineering',
  UNWANTED_SOFTWARE: 'unwanted_software',
};

/** An entry of a list with a hash of the destination that begins so. */
interface Hit {
  readonly prefix: Buffer;
  readonly hash: Buffer;
}

/**
 * Google Web Risk by its Update API: the lists are here, and only a destination that seems to be on one of them makes a
 * question. Without a list, or without the answer to that question, nobody can say.
 */
export class WebRisk implements SafetySource {
  readonly #logger = new Logger('url-safety');
  readonly #api: WebRiskApi;
  readonly #lists: readonly ThreatList[];
  readonly #answers = new HashSearchCache();
  readonly #end = new AbortController();

  constructor(access: WebRiskAccess) {
    this.#api = new WebRiskApi(access);
    this.#lists = threatTypes.map((type) => new ThreatList(type, this.#api));
  }

  async check({ hashes }: Destination, signal: AbortSignal): Promise<WarningReason | undefined> {
    const found = await Promise.all(this.#hitsOf(hashes).map((hit) => this.#confirm(hit, signal)));
    const worst = threatTypes.find((type) => found.some((types) => types?.includes(type)));
    if (worst !== undefined) return reasons[worst];
    const isSure = this.#lists.every(({ isKnown }) => isKnown) && !found.includes(undefined);
    return isSure ? undefined : 'unchecked';
  }

  /**
   * Brings all lists up to date. Gives the moment from which on it is worth doing so again, in epoch ms, if that was
   * said. @throws when one of them failed, after the others have been tried.
   */
  async update(): Promise<number | undefined> {
    const results = [];
    for (const list of this.#lists) results.push(await this.#tried(list));
    if (results.includes(false)) throw new Error('threat lists of Web Risk could not be brought up to date');
    const moments = this.#lists.flatMap(({ nextDiffAtMs }) => nextDiffAtMs ?? []);
    return moments.length === 0 ? undefined : Math.max(...moments);
  }

  /** Ends what is under way; nothing follows. */
  close(): void {
    this.#end.abort();
  }

  async #tried(list: ThreatList): Promise<boolean> {
    try {
      await list.update(this.#end.signal);
      return true;
    } catch (error) {
      if (!this.#end.signal.aborted)
        this.#logger.warn({ msg: 'a threat list was not updated', list: list.type, err: error });
      return false;
    }
  }

  /** An entry of several lists is asked for once. */
  #hitsOf(hashes: readonly Buffer[]): readonly Hit[] {
    const hits = new Map<string, Hit>();
    for (const hash of hashes)
      for (const prefix of this.#lists.flatMap((list) => list.prefixesOf(hash)))
        hits.set(prefix.toString('hex'), { prefix, hash });
    return [...hits.values()];
  }

  /** The lists that the whole hash is on; undefined: no answer. */
  async #confirm({ prefix, hash }: Hit, signal: AbortSignal): Promise<readonly ThreatType[] | undefined> {
    const known = this.#answers.find(prefix, hash);
    if (known) return known;
    try {
      const answer = await this.#api.searchHashes(prefix, AbortSignal.any([signal, this.#end.signal]));
      this.#answers.keep(prefix, answer);
      return answer.threats.filter((threat) => threat.hash.equals(hash)).flatMap(({ types }) => types);
    } catch (error) {
      this.#logger.warn({ msg: 'Web Risk could not be asked about a destination', err: error });
      return undefined;
    }
  }
}

const PREFIXES_MAX = 10_000;
/** However long Web Risk says. */
const MS_MAX = 24 * 60 * 60 * 1_000;

interface Answer {
  /** By the whole hash in hex. */
  readonly threats: ReadonlyMap<string, Threat>;
  readonly harmlessUntilMs: number;
}

interface Threat {
  readonly types: readonly ThreatType[];
  readonly untilMs: number;
}

/** What Web Risk has said of hashes, as long as it said that holds ("Caching", Update API). The oldest go first. */
export class HashSearchCache {
  readonly #answers = new Map<string, Answer>();

  /** The lists that a hash is on, none of them where it is harmless; undefined: that must be asked (again). */
  find(prefix: Buffer, hash: Buffer): readonly ThreatType[] | undefined {
    const answer = this.#answers.get(prefix.toString('hex'));
    if (!answer) return undefined;
    const threat = answer.threats.get(hash.toString('hex'));
    if (threat) return threat.untilMs > Date.now() ? threat.types : undefined;
    return answer.harmlessUntilMs > Date.now() ? [] : undefined;
  }

  keep(prefix: Buffer, { threats, harmlessUntilMs }: HashSearch): void {
    const key = prefix.toString('hex');
    const latest = Date.now() + MS_MAX;
    this.#answers.delete(key);
    this.#answers.set(key, {
      harmlessUntilMs: Math.min(harmlessUntilMs, latest),
      threats: new Map(
        threats.map(({ hash, types, untilMs }) => [
          hash.toString('hex'),
          { types, untilMs: Math.min(untilMs, latest) },
        ]),
      ),
    });
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > PREFIXES_MAX && oldest !== undefined) this.#answers.delete(oldest);
  }
}
