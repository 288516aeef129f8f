import { exampleOf, schemaOf, type Class, type JsonSchema } from '@vaultsvc/contracts';

const COMPONENTS = '#/components/schemas';
const pageFields = ['count', 'has_more', 'next_cursor'] as const;

/** The fields of every page of a list (ENV-13, ENV-14). */
const pageSchema: JsonSchema = {
  type: 'object',
  description: 'A page of a list.',
  properties: {
    count: { type: 'integer', minimum: 0, description: 'Items on this page.' },
    has_more: { type: 'boolean', description: 'Whether another page follows.' },
    next_cursor: {
      type: 'string',
      description: 'The cursor of the next page; absent on the last one.',
    },
  },
  required: ['count', 'has_more'],
};

/** Collects the schemas of contract classes under the names of the classes. */
export class ComponentSchemas {
  readonly #types = new Map<string, Class>();
  readonly #schemas: Record<string, JsonSchema & { readonly examples?: readonly unknown[] }> = {};

  /** The reference to the schema of a class. Throws when another class has the same name. */
  refTo(type: Class): JsonSchema {
    const known = this.#types.get(type.name);
    if (known && known !== type) throw new Error(`two contract classes are named ${type.name}`);
    if (!known) this.#add(type);
    return { $ref: `${COMPONENTS}/${type.name}` };
  }

  /** All collected schemas, by name in alphabetical order. */
  all(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries(
      Object.entries(this.#schemas).sort(([one], [other]) => one.localeCompare(other)),
    );
  }

  #add(type: Class): void {
    this.#types.set(type.name, type);
    const schema = schemaOf(type, (nested) => this.refTo(nested));
    if (isPage(schema)) this.#schemas['Page'] = pageSchema;
    this.#schemas[type.name] = {
      ...(isPage(schema) ? asPage(schema) : schema),
      examples: [exampleOf(type)],
    };
  }
}

function isPage({ properties = {} }: JsonSchema): boolean {
  return pageFields.every((name) => name in properties);
}

/** The schema of a page: the fields of every page, and its own. */
function asPage({ properties = {}, required = [], ...rest }: JsonSchema): JsonSchema {
  const isOwn = (name: string) => !(pageFields as readonly string[]).includes(name);
  const own = Object.fromEntries(Object.entries(properties).filter(([name]) => isOwn(name)));
  return {
    allOf: [{ ...rest, properties: own, required: required.filter(isOwn) }, { $ref: `${COMPONENTS}/Page` }],
  };
}
