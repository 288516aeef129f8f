import { newId } from '@vaultsvc/crypto/encoding';
import { nameOfField } from './contract-names.js';

/** A participant of a sequence: one of two accounts. */
export type Owner = 'A' | 'B';

/**
 * `live`: usable as far as the sequence knows. `spent`: a Spark that was read. `ended`: deleted, or sealed in the case of an
 * access token. `unsure`: another operation may have ended it.
 */
export type State = 'live' | 'spent' | 'ended' | 'unsure';

/** Ids and tokens of one object of a reply, together with those of the path of its call. */
export interface KnownRecord {
  readonly owner: Owner;
  readonly values: Readonly<Record<string, string>>;
  /** Bytes that an upload announced. */
  readonly sizeBytes?: number;
}

interface KnownValue {
  readonly name: string;
  readonly owner: Owner;
  readonly label: string;
  /** The path of the call that returned it first: its parents. */
  readonly parents: Readonly<Record<string, string>>;
  state: State;
  /** Another account may see it too: Sparks of kindlings. */
  isShared: boolean;
}

/** The model of a sequence: which ids and tokens exist, of whom, below which parents, and in which state. */
export class KnownValues {
  readonly #values = new Map<string, KnownValue>();
  readonly #records = new Map<string, KnownRecord>();
  readonly #labels = new Map<string, number>();

  add(record: KnownRecord, parents: Readonly<Record<string, string>>, isShared: boolean): void {
    for (const [name, value] of Object.entries(record.values)) {
      this.#addValue(name, value, record.owner, parents);
      if (isShared && ['spark_id', 'kindling'].includes(name)) this.share(value);
    }
    const key = JSON.stringify([record.owner, record.values]);
    if (!this.#records.has(key)) this.#records.set(key, record);
  }

  #addValue(name: string, value: string, owner: Owner, parents: Readonly<Record<string, string>>): void {
    if (this.#values.has(value)) return;
    const count = (this.#labels.get(name) ?? 0) + 1;
    this.#labels.set(name, count);
    const own = Object.fromEntries(Object.entries(parents).filter(([, parent]) => parent !== value));
    this.#values.set(value, {
      name,
      owner,
      label: `$${name}_${count}`,
      parents: own,
      state: 'live',
      isShared: false,
    });
  }

  share(value: string): void {
    const known = this.#values.get(value);
    if (known) known.isShared = true;
  }

  /** Records of an owner that have all of these names and contain these values; none of their named values has ended. */
  find(owner: Owner, names: readonly string[], given: Readonly<Record<string, string>> = {}): KnownRecord[] {
    return this.#select(owner, names, given).filter(({ values }) =>
      names.every((name) => this.stateOf(values[name]) !== 'ended'),
    );
  }

  /** The same, with records of which the named value has ended. */
  findEnded(owner: Owner, names: readonly string[], ended: string): KnownRecord[] {
    return this.#select(owner, names, {}).filter(({ values }) => this.stateOf(values[ended]) === 'ended');
  }

  #select(owner: Owner, names: readonly string[], given: Readonly<Record<string, string>>): KnownRecord[] {
    return [...this.#records.values()].filter(
      (record) =>
        record.owner === owner &&
        names.every((name) => record.values[name] !== undefined) &&
        Object.entries(given).every(([name, value]) => (record.values[name] ?? value) === value),
    );
  }

  stateOf(value: string | undefined): State | undefined {
    return value === undefined ? undefined : this.#values.get(value)?.state;
  }

  /** The account that has it alone; undefined for unknown and shared values. */
  ownerOf(value: string): Owner | undefined {
    const known = this.#values.get(value);
    return known?.isShared ? undefined : known?.owner;
  }

  isOf(owner: Owner, value: string): boolean {
    return this.#values.get(value)?.owner === owner;
  }

  parentsOf(value: string): Readonly<Record<string, string>> {
    return this.#values.get(value)?.parents ?? {};
  }

  setState(value: string, state: State): void {
    const known = this.#values.get(value);
    if (known) known.state = state;
  }

  /** The values of a record in which one value stands beside another name. */
  anyRecordWith(name: string, value: string, beside: string): KnownRecord['values'] | undefined {
    return [...this.#records.values()].find(
      ({ values }) => values[name] === value && values[beside] !== undefined,
    )?.values;
  }

  /** The values of one name that stand in records beside this value. */
  beside(value: string, name: string): string[] {
    const records = [...this.#records.values()].filter(({ values }) => Object.values(values).includes(value));
    return [...new Set(records.flatMap(({ values }) => values[name] ?? []))];
  }

  /** Values of a name that were made below a parent. */
  below(parent: string, name: string): string[] {
    return [...this.#values].flatMap(([value, known]) =>
      known.name === name && Object.values(known.parents).includes(parent) ? [value] : [],
    );
  }

  /** The text with a name in place of every known id and token. */
  redact(text: string): string {
    let redacted = text;
    for (const [value, { label }] of this.#values)
      if (value.length >= 20) redacted = redacted.replaceAll(value, label);
    return redacted;
  }
}

/** An id or a token of the same form that nobody has. */
export function unknownLike(name: string, value: string): string {
  const [, prefix] = /^([a-z]+_)[0-9A-Za-z]{22,}$/.exec(value) ?? [];
  const random = newId('x_').slice(2);
  if (prefix)
    return `${prefix}${(random + newId('x_').slice(2) + newId('x_').slice(2)).slice(0, value.length - prefix.length)}`;
  if (nameOfField(name) === 'domain') return `${random.toLowerCase()}.example`;
  return (random + random).slice(0, Math.min(value.length, 44));
}
