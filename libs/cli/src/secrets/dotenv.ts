import { UsageError } from '../failures.js';

const NAME = /[A-Za-z_][\w.-]*/y;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', $: '$' };
/** Some programs replace these, others do not. */
const EXPANSION = /\$(?:\{|\()/;

/**
 * The variables of a dotenv file: `NAME=value`, `export NAME=value`, `#` comments; values plain, in '…' or `…` as they are, in
 * "…" with \n, \r, \t, \", \\ and \$. Quoted values may have several lines. What programs read in different ways is refused.
 * @throws UsageError that names the line, and never its content
 */
export function parseDotenv(text: string): ReadonlyMap<string, string> {
  return new DotenvParser(text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n')).parse();
}

class DotenvParser {
  #at = 0;
  readonly #lines = new Map<string, number>();
  readonly #values = new Map<string, string>();

  constructor(private readonly text: string) {}

  parse(): ReadonlyMap<string, string> {
    for (;;) {
      this.#skip(/\s*/y);
      if (this.#at >= this.text.length) return this.#values;
      if (this.text[this.#at] === '#') this.#skip(/[^\n]*/y);
      else this.#assignment();
    }
  }

  #assignment(): void {
    const line = this.#line();
    this.#skip(/export[ \t]+/y);
    const name = this.#skip(NAME);
    if (name === '') throw refused(line, 'has no name of letters, digits and _');
    if (!this.#skip(/[ \t]*=[ \t]*/y)) throw refused(line, 'has no = after its name');
    const earlier = this.#lines.get(name);
    if (earlier !== undefined) throw refused(line, `sets ${name} again, which line ${earlier} sets`);
    this.#lines.set(name, line);
    this.#values.set(name, this.#value(line));
  }

  #value(line: number): string {
    const quote = this.text[this.#at] ?? '';
    if (quote === '"' || quote === "'" || quote === '`') return this.#quoted(quote, line);
    const value = this.#skip(/[^\n]*/y)
      .replace(/(?:^|[ \t])#.*$/, '')
      .trimEnd();
    if (EXPANSION.test(value))
      throw refused(line, 'has ${ or $(, which is not replaced: quote it with single quotes');
    return value;
  }

  #quoted(quote: string, line: number): string {
    this.#at += 1;
    let value = '';
    for (;;) {
      const character = this.text[this.#at];
      if (character === undefined) throw refused(line, `has no second ${quote}`);
      this.#at += 1;
      if (character === quote) break;
      value += character === '\\' && quote === '"' ? this.#escaped() : character;
      if (quote === '"' && character === '$' && EXPANSION.test(this.text.slice(this.#at - 1, this.#at + 1)))
        throw refused(this.#line(), 'has ${ or $(, which is not replaced: write \\$ or use single quotes');
    }
    if (!/^[ \t]*(?:#.*)?$/.test(this.#skip(/[^\n]*/y)))
      throw refused(this.#line(), `goes on after the second ${quote}`);
    return value;
  }

  #escaped(): string {
    const character = this.text[this.#at] ?? '';
    const meant = ESCAPES[character];
    if (meant === undefined)
      throw refused(this.#line(), 'has \\ before another character than n, r, t, ", \\ and $');
    this.#at += 1;
    return meant;
  }

  /** Goes on behind a match at this place, and returns it. */
  #skip(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ''] = pattern.exec(this.text) ?? [];
    this.#at += found.length;
    return found;
  }

  #line(): number {
    return this.text.slice(0, this.#at).split('\n').length;
  }
}

function refused(line: number, what: string): UsageError {
  return new UsageError(`Line ${line} ${what}. Nothing was imported.`);
}
