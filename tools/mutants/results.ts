import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { workspace } from '../stack/settings.ts';
import { isArgued } from './argued.ts';
import { kinds, nameOf, type Site } from './site.ts';
import { services } from '../stack/settings.ts';
import type { Verdict } from './workshop.ts';

interface Result {
  readonly verdict: Verdict;
  readonly specs: readonly string[];
}

/** The results of one seed, on the disk after each mutant: a run that is interrupted goes on where it was. */
export class Results {
  readonly #path: string;
  readonly #results: Map<string, Result>;

  constructor(seed: number) {
    this.#path = join(workspace, '.cache/mutants', `${seed}.json`);
    const text = existsSync(this.#path) ? readFileSync(this.#path, 'utf8') : '[]';
    this.#results = new Map(JSON.parse(text) as [string, Result][]);
  }

  has(site: Site): boolean {
    return this.#results.has(nameOf(site));
  }

  record(site: Site, result: Result) {
    this.#results.set(nameOf(site), result);
    mkdirSync(dirname(this.#path), { recursive: true });
    writeFileSync(this.#path, JSON.stringify([...this.#results], undefined, 1));
  }

  /** The share that was killed, by service and by kind, and the survivors with the requirements whose promise they break. */
  report(sites: readonly Site[]): string {
    const tried = sites.filter((site) => this.has(site));
    const born = tried.filter((site) => this.#verdictOf(site) !== 'stillborn');
    const [equivalent, asked] = [born.filter(isArgued), born.filter((site) => !isArgued(site))];
    const survivors = asked.filter((site) => this.#verdictOf(site) === 'survived');
    return [
      `${this.#shareOf(asked)} of the mutants are killed by specs that name the requirement.`,
      `${tried.length - born.length} did not load and ${equivalent.length} are argued: these are not counted.`,
      ...equivalent
        .filter((site) => this.#isKilled(site))
        .map((site) => `  argued, but killed: ${nameOf(site)}`),
      '',
      ...this.#table('service', services, asked),
      '',
      ...this.#table('kind', kinds, asked),
      '',
      survivors.length > 0 ? 'Survivors:' : 'No survivors.',
      ...survivors.map((site) => `  ${site.ids.join(' ')}  ${nameOf(site)}`),
    ].join('\n');
  }

  #table(member: 'service' | 'kind', values: readonly string[], asked: readonly Site[]) {
    return values.map((value) => {
      const own = asked.filter((site) => site[member] === value);
      return `  ${value.padEnd(14)} ${this.#shareOf(own)}`;
    });
  }

  #shareOf(sites: readonly Site[]) {
    const killed = sites.filter((site) => this.#isKilled(site));
    const share = sites.length === 0 ? '' : ` (${((100 * killed.length) / sites.length).toFixed(1)} %)`;
    return `${killed.length} of ${sites.length}${share}`;
  }

  #isKilled(site: Site) {
    return ['killed', 'timeout'].includes(this.#verdictOf(site) ?? '');
  }

  #verdictOf(site: Site) {
    return this.#results.get(nameOf(site))?.verdict;
  }
}
