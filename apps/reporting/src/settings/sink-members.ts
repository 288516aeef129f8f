/** The members of one JSON object of a setting. Each method names the member in its error, and never its value. */
export interface Members {
  text(name: string, pattern: RegExp, meaning: string): string;
  optionalText(name: string, pattern: RegExp, meaning: string): string | undefined;
  oneOf<T extends string>(name: string, values: readonly T[], fallback?: T): T;
  integer(name: string, min: number, max: number, fallback: number): number;
  /** False when absent. */
  flag(name: string): boolean;
  /** An http or https URL without credentials and fragment. */
  url(name: string): URL;
  url(name: string, options: { isOptional: true }): URL | undefined;
  problem(name: string, expectation: string): Error;
}

/**
 * Reads an object by its members.
 * @throws Error for anything else, for a member that is missing or malformed, and for one that `read` does not ask for
 */
export function readMembers<T>(value: unknown, label: string, read: (members: Members) => T): T {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`must have an object as ${label}`);
  const members = new JsonMembers(new Map(Object.entries(value)), label);
  const result = read(members);
  members.assertAllRead();
  return result;
}

class JsonMembers implements Members {
  /** The names that were asked for. */
  readonly #names = new Set<string>();

  constructor(
    private readonly values: ReadonlyMap<string, unknown>,
    private readonly label: string,
  ) {}

  problem(name: string, expectation: string): Error {
    return new Error(`must have ${name} of ${this.label} as ${expectation}`);
  }

  text(name: string, pattern: RegExp, meaning: string): string {
    const value = this.optionalText(name, pattern, meaning);
    if (value === undefined) throw this.problem(name, meaning);
    return value;
  }

  optionalText(name: string, pattern: RegExp, meaning: string): string | undefined {
    const value = this.#get(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'string' || !pattern.test(value)) throw this.problem(name, meaning);
    return value;
  }

  oneOf<T extends string>(name: string, values: readonly T[], fallback?: T): T {
    const value = this.#get(name) ?? fallback;
    const found = values.find((candidate) => candidate === value);
    if (found === undefined) throw this.problem(name, `one of ${values.join(', ')}`);
    return found;
  }

  integer(name: string, min: number, max: number, fallback: number): number {
    const value = this.#get(name) ?? fallback;
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
    throw this.problem(name, `an integer from ${min} to ${max}`);
  }

  flag(name: string): boolean {
    const value = this.#get(name) ?? false;
    if (typeof value === 'boolean') return value;
    throw this.problem(name, 'true or false');
  }

  url(name: string): URL;
  url(name: string, options: { isOptional: true }): URL | undefined;
  url(name: string, options?: { isOptional: true }): URL | undefined {
    const value = this.#get(name);
    if (value === undefined && options?.isOptional) return undefined;
    const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
    if (url && isPlain(url)) return url;
    throw this.problem(name, 'an http or https URL without credentials and fragment');
  }

  assertAllRead(): void {
    if ([...this.values.keys()].every((name) => this.#names.has(name))) return;
    throw new Error(`must have only these members in ${this.label}: ${[...this.#names].join(', ')}`);
  }

  #get(name: string): unknown {
    this.#names.add(name);
    return this.values.get(name);
  }
}

function isPlain({ protocol, username, password, hash }: URL): boolean {
  return /^https?:$/.test(protocol) && username === '' && password === '' && hash === '';
}
