import type { HashSearch, ThreatType } from './web-risk-answers.js';

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
export class HashAnswers {
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
