import type { Answer, Question } from 'dns-packet';

export type TxtStrings = string | readonly string[];

const TTL_SECONDS = 60;
const CNAMES_MAX = 8;

/** TXT records and aliases by name; names are case-insensitive. */
export class Zone {
  readonly #txt = new Map<string, readonly TxtStrings[]>();
  readonly #aliases = new Map<string, string>();

  setTxt(name: string, records: readonly TxtStrings[]): void {
    this.#txt.set(name.toLowerCase(), records);
  }

  setAlias(name: string, target: string): void {
    this.#aliases.set(name.toLowerCase(), target);
  }

  clear(): void {
    this.#txt.clear();
    this.#aliases.clear();
  }

  /** The chain of aliases and the records at its end, like the response of a recursive resolver; null: no such name. */
  answersTo({ name, type }: Question): Answer[] | null {
    const answers: Answer[] = [];
    let end = name;
    for (let alias = this.#alias(end); alias !== undefined; alias = this.#alias(end)) {
      if (answers.length === CNAMES_MAX) return [];
      answers.push({ type: 'CNAME', name: end, ttl: TTL_SECONDS, data: alias });
      end = alias;
    }
    const records = this.#txt.get(end.toLowerCase());
    if (!records) return null;
    return type === 'TXT' ? [...answers, ...records.map((strings) => txtAnswer(end, strings))] : answers;
  }

  #alias(name: string): string | undefined {
    return this.#aliases.get(name.toLowerCase());
  }
}

function txtAnswer(name: string, strings: TxtStrings): Answer {
  const data = typeof strings === 'string' ? strings : [...strings];
  return { type: 'TXT', name, ttl: TTL_SECONDS, data };
}
