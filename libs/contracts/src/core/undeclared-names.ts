import { AppError, type FieldProblem } from './errors.js';
import { NearNames } from './near-names.js';
import type { PublicOperation } from './operation.js';
import { fieldsOf, isClosed, type Class, type Field } from './schema.js';

/** Names beyond these bounds are not listed. */
const NAMES_MAX = 20;
const BYTES_MAX = 1_024;
const NAME_CHARACTERS_MAX = 100;
const MISSPELLED_MAX = 10;

/** The names of the parameters and properties of a call that its contract does not declare. Never values, nor keys of free maps. */
export interface UndeclaredNames {
  /** Those that are ignored, as the value of a header: `ttl, recipients.0.colour`. undefined: there is none. */
  readonly ignored: string | undefined;
  /** Those that are near a declared name. */
  readonly misspelled: readonly FieldProblem[];
}

const NONE: UndeclaredNames = { ignored: undefined, misspelled: [] };

/** Finds the undeclared names of a call (AMB-51). A call of a provider has none: its contract is the provider's. */
export function undeclaredNames(
  { query, body, access, isQueryOpen }: PublicOperation,
  parameters: URLSearchParams,
  value: unknown,
): UndeclaredNames {
  if (access.provider) return NONE;
  const names = new NameCollector();
  addParameters(query, parameters, names, isQueryOpen ?? false);
  if (body) addProperties(body, value, '', names, body);
  return names.found;
}

/** Refuses a call with names that are near declared ones: ignored, they would leave a field at its default. @throws AppError FIELD_MISSPELLED */
export function assertSpelling({ misspelled }: UndeclaredNames): void {
  if (misspelled.length > 0) throw new AppError('FIELD_MISSPELLED', { fields: misspelled });
}

function addParameters(
  query: Class | undefined,
  parameters: URLSearchParams,
  names: NameCollector,
  isOpen: boolean,
): void {
  for (const name of parameters.keys()) {
    if (query && declared(query).has(name)) continue;
    names.add(name, query && !isOpen ? meantBy(query, query, name) : undefined);
  }
}

/** Reads what `decode` reads: the classes of fields, and no value of another type. `root`: the class of the whole body. */
function addProperties(type: Class, value: unknown, path: string, names: NameCollector, root: Class): void {
  if (typeof value !== 'object' || value === null) return;
  const fields = declared(type);
  for (const name of Object.keys(value)) {
    const field = fields.get(name);
    if (!field) addUndeclared(type, name, path, names, root);
    else if (field.nested)
      addNested(field.nested(), (value as Record<string, unknown>)[name], `${path}${name}.`, names, root);
  }
}

/** A closed class refuses what it does not declare; only what was meant is added here (AUTH-03). */
function addUndeclared(type: Class, name: string, path: string, names: NameCollector, root: Class): void {
  const meant = meantBy(type, root, name);
  if (meant !== undefined || !isClosed(type)) names.add(path + name, meant);
}

function addNested(type: Class, value: unknown, path: string, names: NameCollector, root: Class): void {
  if (!Array.isArray(value)) return addProperties(type, value, path, names, root);
  for (const [index, item] of value.entries()) addProperties(type, item, `${path}${index}.`, names, root);
}

/** The declared name that this one is near; undefined also for a name that another object of the body declares. */
function meantBy(type: Class, root: Class, name: string): string | undefined {
  return namesBelow(root).has(name) ? undefined : nearNames(type).find(name);
}

/** Distinct names in their order, within the bounds of the header and of an error. */
class NameCollector {
  #ignored: Set<string> | undefined;
  #misspelled: FieldProblem[] | undefined;
  #bytes = 0;
  #isFull = false;

  add(name: string, meant: string | undefined): void {
    if (meant === undefined) return this.#ignore(name);
    const problems = (this.#misspelled ??= []);
    if (problems.length < MISSPELLED_MAX)
      problems.push({ field: name.slice(0, NAME_CHARACTERS_MAX), message: `did you mean ${meant}?` });
  }

  #ignore(name: string): void {
    if (this.#isFull) return;
    const text = headerText(name);
    const names = (this.#ignored ??= new Set());
    if (names.has(text)) return;
    this.#bytes += text.length + ', '.length;
    this.#isFull = names.size === NAMES_MAX || this.#bytes > BYTES_MAX;
    if (!this.#isFull) names.add(text);
  }

  get found(): UndeclaredNames {
    if (!this.#ignored && !this.#misspelled) return NONE;
    return { ignored: this.#ignored && [...this.#ignored].join(', '), misspelled: this.#misspelled ?? [] };
  }
}

/** A name in visible ASCII: other characters, and those with a meaning in the list, are percent-encoded. */
function headerText(name: string): string {
  const text = name.slice(0, NAME_CHARACTERS_MAX).toWellFormed();
  return text.replace(/[^\x21-\x7e]|[,%]/gu, encodeURIComponent) || '""';
}

/** The fields of a class, and what is derived from them, are final once it is used. */
function cached<T>(derive: (type: Class) => T): (type: Class) => T {
  const cache = new WeakMap<Class, { readonly value: T }>();
  return (type) => {
    let entry = cache.get(type);
    if (!entry) cache.set(type, (entry = { value: derive(type) }));
    return entry.value;
  };
}

const declared = cached((type): ReadonlyMap<string, Field> => fieldsOf(type));
const nearNames = cached((type) => new NearNames([...declared(type).keys()]));
/** The names that a class and those of its fields declare. */
const namesBelow = cached((type): ReadonlySet<string> => collectNames(type, new Set(), new Set()));

function collectNames(type: Class, names: Set<string>, seen: Set<Class>): Set<string> {
  if (seen.has(type)) return names;
  seen.add(type);
  for (const [name, { nested }] of declared(type)) {
    names.add(name);
    if (nested) collectNames(nested(), names, seen);
  }
  return names;
}
