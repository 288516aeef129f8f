import { Logger } from '@nestjs/common';
import type { WarningReason } from '@vaultsvc/contracts/sparks';
import type { Destination } from './destination.js';
import { HashAnswers } from './hash-answers.js';
import type { SafetySource } from './safety-source.js';
import { ThreatList } from './threat-list.js';
import { threatTypes, type ThreatType } from './web-risk-answers.js';
import { WebRiskApi, type WebRiskAccess } from './web-risk-api.js';

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
  readonly #answers = new HashAnswers();
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
