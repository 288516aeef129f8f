import type { PublicOperation } from './operation.js';
import { fieldsOf, isClosed, type Class, type Field } from './schema.js';

/** Names beyond these bounds are not listed. */
const NAMES_MAX = 20;
const BYTES_MAX = 1_024;
const NAME_CHARACTERS_MAX = 100;

/**
 * The names of the parameters and properties of a call that its contract does not declare and that are ignored (AMB-51), as the
 * value of a header: `ttl, recipients.0.nmae`. Never values; keys of free maps are no such names. undefined: there is none.
 */
export function undeclaredNames(
  { query, body, access }: PublicOperation,
  parameters: URLSearchParams,
  value: unknown,
): string | undefined {
  if (access.provider) return undefined;
  const names = new NameList();
  if (parameters.size > 0) addParameters(query, parameters, names);
  if (body) addProperties(body, value, '', names);
  return names.header;
}

function addParameters(query: Class | undefined, parameters: URLSearchParams, names: NameList): void {
  for (const name of parameters.keys()) if (!query || !declared(query).has(name)) names.add(name);
}

/** Reads what `decode` reads: the classes of fields, and no value of another type. */
function addProperties(type: Class, value: unknown, path: string, names: NameList): void {
  if (typeof value !== 'object' || value === null || names.isFull || isClosed(type)) return;
  const fields = declared(type);
  for (const name of Object.keys(value)) {
    const field = fields.get(name);
    if (!field) names.add(path + name);
    else if (field.nested)
      addNested(field.nested(), (value as Record<string, unknown>)[name], `${path}${name}.`, names);
  }
}

function addNested(type: Class, value: unknown, path: string, names: NameList): void {
  if (!Array.isArray(value)) return addProperties(type, value, path, names);
  for (const [index, item] of value.entries()) addProperties(type, item, `${path}${index}.`, names);
}

/** Distinct names in their order, within the bounds of the header. Most calls have none, so the set is made for the first. */
class NameList {
  #names: Set<string> | undefined;
  #bytes = 0;
  isFull = false;

  add(name: string): void {
    if (this.isFull) return;
    const text = headerText(name);
    const names = (this.#names ??= new Set());
    if (names.has(text)) return;
    this.#bytes += text.length + ', '.length;
    this.isFull = names.size === NAMES_MAX || this.#bytes > BYTES_MAX;
    if (!this.isFull) names.add(text);
  }

  get header(): string | undefined {
    return this.#names && [...this.#names].join(', ');
  }
}

/** A name in visible ASCII: other characters, and those with a meaning in the list, are percent-encoded. */
function headerText(name: string): string {
  const text = name.slice(0, NAME_CHARACTERS_MAX).toWellFormed();
  return text.replace(/[^\x21-\x7e]|[,%]/gu, encodeURIComponent) || '""';
}

const cache = new WeakMap<Class, ReadonlyMap<string, Field>>();

/** `fieldsOf` walks the prototype chain; the fields of a class are final once it is used. */
function declared(type: Class): ReadonlyMap<string, Field> {
  let fields = cache.get(type);
  if (!fields) cache.set(type, (fields = fieldsOf(type)));
  return fields;
}
