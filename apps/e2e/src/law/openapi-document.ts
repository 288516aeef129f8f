import { typeOf, type Members, type Shape, type Type } from './notation.js';

/** What the tests read of an OpenAPI document. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly description?: string;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
}

interface Media {
  readonly schema?: Schema;
  readonly examples?: object;
}

export interface DocumentedOperation {
  readonly description?: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<string, { readonly description?: string; readonly content?: Readonly<Record<string, Media>> }>
  >;
  readonly servers?: readonly { readonly url: string }[];
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Resolves references and joins the parts of a schema. */
export class Schemas {
  constructor(private readonly document: OpenApi) {}

  resolve(schema: Schema): Schema {
    if (schema.$ref !== undefined) {
      const name = schema.$ref.split('/').at(-1) as string;
      return this.resolve(this.document.components.schemas[name] ?? {});
    }
    if (!schema.allOf) return schema;
    const parts = schema.allOf.map((part) => this.resolve(part));
    return {
      type: 'object',
      properties: Object.assign({}, ...parts.map(({ properties }) => properties)) as Record<string, Schema>,
      required: parts.flatMap(({ required = [] }) => required),
    };
  }

  /** Where the schema of an answer differs from the row. */
  deviations(shape: Shape, given: Schema, at = 'data'): string[] {
    const type = typeOf(shape);
    const alternatives = given.oneOf ?? given.anyOf;
    const solid = alternatives?.filter((one) => one.type !== 'null');
    const isNullable = (alternatives?.length ?? 0) > (solid?.length ?? 0);
    if (alternatives && solid?.length === 1)
      return this.#ofSchema(type, this.resolve(solid[0] as Schema), isNullable, at);
    if (type.shapes) return this.#ofAlternatives(type.shapes, this.resolve(given), at);
    return this.#ofSchema(type, this.resolve(given), isNullable, at);
  }

  #ofSchema(type: Type, schema: Schema, isNullable: boolean, at: string): string[] {
    const types = [schema.type ?? []].flat();
    const nullable = isNullable || types.includes('null');
    const expected = type.nullable === true || (type.values?.includes(null) ?? false);
    const found = nullable === expected ? [] : [`${at} is ${nullable ? '' : 'not '}nullable`];
    if (type.members) return [...found, ...this.#ofMembers(type.members, schema, at)];
    if (type.kind !== 'map' && type.item)
      return [
        ...found,
        ...(schema.items ? this.deviations(type.item, schema.items, `${at}[]`) : [`${at} is no list`]),
      ];
    return [...found, ...ofScalar(type, schema, types, at)];
  }

  #ofMembers(members: Members, { properties = {}, required = [] }: Schema, at: string): string[] {
    const unknown = Object.keys(properties).filter((name) => !(name in members));
    return [
      ...unknown.map((name) => `${at}.${name} is not in the row`),
      ...Object.entries(members).flatMap(([name, shape]) => {
        const schema = properties[name];
        if (!schema) return [`${at}.${name} is missing`];
        const isOptional = typeOf(shape).optional === true;
        const wrong =
          isOptional === required.includes(name)
            ? [`${at}.${name} is ${isOptional ? '' : 'not '}required`]
            : [];
        return [...wrong, ...this.deviations(shape, schema, `${at}.${name}`)];
      }),
    ];
  }

  /** A document may show alternatives as one object, in which only their common members are required. */
  #ofAlternatives(shapes: readonly Members[], schema: Schema, at: string): string[] {
    const alternatives = schema.oneOf ?? schema.anyOf;
    if (alternatives) {
      const best = shapes.map((shape) =>
        alternatives.map((one) => this.deviations(shape, one, at)).toSorted((a, b) => a.length - b.length),
      );
      return best.flatMap(([nearest = []]) => nearest);
    }
    const names = new Set(shapes.flatMap((shape) => Object.keys(shape)));
    const documented = Object.keys(schema.properties ?? {});
    return [
      ...documented.filter((name) => !names.has(name)).map((name) => `${at}.${name} is not in the row`),
      ...[...names].filter((name) => !documented.includes(name)).map((name) => `${at}.${name} is missing`),
    ];
  }
}

const jsonTypes: Partial<Record<Type['kind'], string>> = {
  text: 'string',
  url: 'string',
  iso: 'string',
  int: 'integer',
  time: 'integer',
  number: 'number',
  bool: 'boolean',
  map: 'object',
};

function ofScalar({ kind, values }: Type, schema: Schema, types: readonly string[], at: string): string[] {
  const literals = schema.const === undefined ? schema.enum?.filter((one) => one !== null) : [schema.const];
  if (kind === 'is') {
    const expected = (values ?? []).filter((one) => one !== null);
    if (!literals || String(literals.toSorted()) === String(expected.toSorted())) return [];
    return [`${at} is one of ${literals.join(', ')}`];
  }
  const expected = jsonTypes[kind];
  const isAs =
    expected === undefined || types.includes(expected) || (literals !== undefined && expected === 'string');
  return isAs ? [] : [`${at} is ${types.join('|')}, not ${expected}`];
}
