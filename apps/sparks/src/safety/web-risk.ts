import { Logger } from '@nestjs/common';
import type { WarningReason } from '@vaultsvc/contracts/sparks';
import type { WebRiskAccess } from '../config.js';
import type { Destination, SafetySource } from './destination.js';
import { type HashSearch, type ListDiff, type ThreatType, threatTypes, WebRiskApi } from './web-risk-api.js';
import { HashList } from './hash-list.js';

const reasons: Readonly<Record<ThreatType, WarningReason>> = {
  MALWARE: 'malware',
  SOCIAL_ENGINEERING: 'social_engineering',
  UNWANTED_SOFTWARE: 'unwanted_software',
};

/** A list entry and the hash of the destination that it is a prefix of. */
interface Hit {
  readonly prefix: Buffer;
  readonly hash: Buffer;
}

/**
 * Google Web Risk by its Update API: the lists of hash prefixes are local, and only a matching prefix causes a request.
 * The result is `unchecked` without a list or without an answer to that request.
 */
export class WebRisk implements SafetySource {
  readonly #logger = new Logger('url-safety');
  readonly #api: WebRiskApi;
  readonly #lists: readonly ThreatList[];
  readonly #cache = new HashSearchCache();
  readonly #closing = new AbortController();

  constructor(access: WebRiskAccess) {
    this.#api = new WebRiskApi(access);
    this.#lists = threatTypes.map((type) => new ThreatList(type, this.#api));
  }

  async check({ hashes }: Destination, signal: AbortSignal): Promise<WarningReason | undefined> {
    const found = await Promise.all(this.#hitsOf(hashes).map((hit) => this.#confirm(hit, signal)));
    const worst = threatTypes.find((type) => found.some((types) => types?.includes(type)));
    if (worst !== undefined) return reasons[worst];
    const isConclusive = this.#lists.every(({ isLoaded }) => isLoaded) && !found.includes(undefined);
    return isConclusive ? undefined : 'unchecked';
  }

  /**
   * Updates all lists. Returns the earliest useful time of the next update in epoch ms, if Web Risk recommends one.
   * @throws when a list failed, after all have been tried
   */
  async update(): Promise<number | undefined> {
    const results = [];
    for (const list of this.#lists) results.push(await this.#tryUpdate(list));
    if (results.includes(false)) throw new Error('threat lists of Web Risk could not be updated');
    const times = this.#lists.flatMap(({ nextDiffAtMs }) => nextDiffAtMs ?? []);
    return times.length === 0 ? undefined : Math.max(...times);
  }

  /** Aborts running requests. */
  close(): void {
    this.#closing.abort();
  }

  async #tryUpdate(list: ThreatList): Promise<boolean> {
    try {
      await list.update(this.#closing.signal);
      return true;
    } catch (error) {
      if (!this.#closing.signal.aborted)
        this.#logger.warn({ msg: 'a threat list was not updated', list: list.type, err: error });
      return false;
    }
  }

  /** One request for an entry, however many lists contain it. */
  #hitsOf(hashes: readonly Buffer[]): readonly Hit[] {
    const hits = new Map<string, Hit>();
    for (const hash of hashes)
      for (const prefix of this.#lists.flatMap((list) => list.prefixesOf(hash)))
        hits.set(prefix.toString('hex'), { prefix, hash });
    return [...hits.values()];
  }

  /** The lists that contain the whole hash; undefined without an answer. */
  async #confirm({ prefix, hash }: Hit, signal: AbortSignal): Promise<readonly ThreatType[] | undefined> {
    const cached = this.#cache.find(prefix, hash);
    if (cached) return cached;
    try {
      const answer = await this.#api.searchHashes(prefix, AbortSignal.any([signal, this.#closing.signal]));
      this.#cache.store(prefix, answer);
      return answer.threats.filter((threat) => threat.hash.equals(hash)).flatMap(({ types }) => types);
    } catch (error) {
      this.#logger.warn({ msg: 'Web Risk did not answer about a destination', err: error });
      return undefined;
    }
  }
}

const PREFIXES_MAX = 10_000;
/** The longest caching time, whatever Web Risk says. */
const CACHE_MS_MAX = 24 * 60 * 60 * 1_000;

interface CachedSearch {
  /** By the full hash in hex. */
  readonly threats: ReadonlyMap<string, Threat>;
  readonly harmlessUntilMs: number;
}

interface Threat {
  readonly types: readonly ThreatType[];
  readonly untilMs: number;
}

/** Caches answers about hash prefixes for the time that Web Risk allows ("Caching", Update API); evicts the oldest. */
export class HashSearchCache {
  readonly #answers = new Map<string, CachedSearch>();

  /** The lists that contain a hash, empty for a harmless one; undefined without a valid answer. */
  find(prefix: Buffer, hash: Buffer): readonly ThreatType[] | undefined {
    const answer = this.#answers.get(prefix.toString('hex'));
    if (!answer) return undefined;
    const threat = answer.threats.get(hash.toString('hex'));
    if (threat) return threat.untilMs > Date.now() ? threat.types : undefined;
    return answer.harmlessUntilMs > Date.now() ? [] : undefined;
  }

  store(prefix: Buffer, { threats, harmlessUntilMs }: HashSearch): void {
    const key = prefix.toString('hex');
    const latest = Date.now() + CACHE_MS_MAX;
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

/** The local copy of one of Web Risk's lists. */
export class ThreatList {
  #list: HashList | undefined;
  #versionToken = '';
  #nextDiffAtMs: number | undefined;

  constructor(
    readonly type: ThreatType,
    private readonly api: WebRiskApi,
  ) {}

  /** Whether it has been loaded. While Web Risk is unreachable, the last version stays in use. */
  get isLoaded(): boolean {
    return this.#list !== undefined;
  }

  /** The earliest useful time of the next update, in epoch ms; undefined without a recommendation. */
  get nextDiffAtMs(): number | undefined {
    return this.#nextDiffAtMs;
  }

  prefixesOf(hash: Buffer): readonly Buffer[] {
    return this.#list?.prefixesOf(hash) ?? [];
  }

  /**
   * Applies the latest diff. On a checksum mismatch it loads the whole list again.
   * @throws for any failure; the last version stays in use
   */
  async update(signal: AbortSignal): Promise<void> {
    if (this.#versionToken !== '' && (await this.#applyDiff(signal))) return;
    this.#versionToken = '';
    if (!(await this.#applyDiff(signal)))
      throw new Error(`the list ${this.type} does not match its checksum`);
  }

  async #applyDiff(signal: AbortSignal): Promise<boolean> {
    const diff = await this.api.computeDiff(this.type, this.#versionToken, signal);
    const list = await this.#changedBy(diff);
    if (!list) return false;
    this.#list = list;
    this.#versionToken = diff.versionToken;
    this.#nextDiffAtMs = diff.nextDiffAtMs;
    return true;
  }

  async #changedBy({ isReset, removals, additions, checksum }: ListDiff): Promise<HashList | undefined> {
    const from = isReset ? HashList.empty : (this.#list ?? HashList.empty);
    const list = await from.with({ removals, additions }).catch(() => undefined);
    return list?.checksum.equals(checksum) ? list : undefined;
  }
}
