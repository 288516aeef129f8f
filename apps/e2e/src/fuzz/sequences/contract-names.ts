import { schemaOf, type JsonSchema, type PublicOperation } from '@vaultsvc/contracts';
import { operations } from '@vaultsvc/contracts/catalog';

/**
 * How values of replies reach later calls: a path parameter or a field of a body or query takes values of reply fields of
 * the same name. These names differ in the API.
 */
const pathAliases: Readonly<Record<string, string>> = { code: 'link_code', last4: 'last_4_chars' };
const fieldAliases: Readonly<Record<string, string>> = {
  parent_id: 'folder_id',
  authorized_user_id: 'user_id',
  next_cursor: 'cursor',
};

/** The common name of a reply field and of the fields that take its values. */
export function nameOfField(field: string): string {
  return fieldAliases[field] ?? field;
}

/** A path parameter that takes values of replies, and their common name. */
export interface PathName {
  readonly param: string;
  readonly name: string;
}

/** They name an integration of the catalog, which all accounts share, or a person by a name of the account's own (OPEN-34). */
const SHARED_PARAMS = ['app_slug', 'app_id', 'recipient_id'];

const pathNames = new Map(operations.map((op) => [op, readPathNames(op)]));

/** The path parameters of an operation in their order, without those of a closed list of values. */
export function pathNamesOf(op: PublicOperation): readonly PathName[] {
  return pathNames.get(op) ?? readPathNames(op);
}

function readPathNames({ http, params }: PublicOperation): PathName[] {
  const properties = params ? propertiesOf(schemaOf(params)) : {};
  return [...http.path.matchAll(/\{(\w+)\}/g)]
    .map(([, param = '']) => ({ param, name: pathAliases[param] ?? param }))
    .filter(({ param }) => !SHARED_PARAMS.includes(param) && properties[param]?.enum === undefined);
}

/** The names of all path parameters: reply fields with these names are ids, whatever their values look like. */
const idNames: ReadonlySet<string> = new Set([...pathNames.values()].flat().map(({ name }) => name));

const ID = /^[a-z]+_[0-9A-Za-z]{22}(?:[0-9A-Za-z]{2})?$/;
const TOKEN = /^(?=.*\d)(?=.*[A-Za-z])[\w.:/?=&%+~-]{20,}$/;

/**
 * All accounts see the same: `txt_name` follows from the domain of the request alone, `datetime` is a time, `origin` is the
 * name of the transparency log, equal contents have one `content_hash`, and the rest is the configuration of the deployment.
 */
const PUBLIC_FIELDS: ReadonlySet<string> = new Set([
  ...['txt_name', 'datetime', 'origin', 'content_hash'],
  ...[
    'api_version',
    'api',
    'forge',
    'links',
    'files',
    'issuer',
    'authorization_endpoint',
    'client_id',
    'redirect_uri',
  ],
]);

/** A key that verifies the log: its name, a hash of four bytes, and an algorithm with a public key. */
const LOG_KEY = /^[^+\s]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}$/;

/** Whether a reply field holds an id or a token, which later calls may use and no other account may see. */
export function isReference(field: string, value: string): boolean {
  if (PUBLIC_FIELDS.has(field) || LOG_KEY.test(value)) return false;
  return idNames.has(nameOfField(field)) || ID.test(value) || TOKEN.test(value);
}

/** The properties of an object schema. */
export function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return schema.properties ?? {};
}

/** A text in an input, with the name and the schema of its field. */
export interface InputText {
  readonly field: string;
  readonly text: string;
  readonly schema: JsonSchema | undefined;
}

/** The texts of an input, also those in its objects and lists. */
export function textsIn(value: unknown, schema: JsonSchema | undefined, field = ''): InputText[] {
  if (typeof value === 'string') return [{ field, text: value, schema }];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, schema?.items, field));
  const properties = schema ? propertiesOf(schema) : {};
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, properties[name], name));
}

/** The names of text fields that some reply has and the input of the same operation has not: ids, keys, tokens. */
const mintedNames: ReadonlySet<string> = new Set(
  operations.flatMap(({ reply, body }) => {
    const inputs = body ? propertiesOf(schemaOf(body)) : {};
    return textFieldsOf(reply ? schemaOf(reply) : {}).filter((field) => !(field in inputs));
  }),
);

function textFieldsOf(schema: JsonSchema): string[] {
  return Object.entries(propertiesOf(schema.items ?? schema)).flatMap(([field, inner]) => {
    const isText = [inner.type].flat().includes('string') && inner.enum === undefined;
    return isText ? [nameOfField(field)] : textFieldsOf(inner);
  });
}

/** Whether an input field takes values that replies give out. */
export function takesReference(field: string, schema: JsonSchema): boolean {
  const isText = [schema.type].flat().includes('string') && schema.enum === undefined;
  return isText && mintedNames.has(nameOfField(field));
}

/** Ids and keys that callers choose: two accounts may have the same one (NTF-21). */
const CHOSEN_NAMES: ReadonlySet<string> = new Set(['send_id', 'secret']);

/** Whether an input field names a resource or a key, so that a call with another account's value must fail. */
export function isProtectedReference(field: string, schema: JsonSchema | undefined): boolean {
  return (
    schema !== undefined &&
    !CHOSEN_NAMES.has(field) &&
    takesReference(field, schema) &&
    (schema.pattern !== undefined || /key|vmk|dvak|token/.test(field))
  );
}

/** The operation that ends the resource named by the last of these parameters, on the path that is most like this one. */
export function endingOf(op: PublicOperation, level: number): PublicOperation | undefined {
  const names = pathNamesOf(op).slice(0, level + 1);
  const candidates = operations.filter(({ http, ...rest }) => {
    if (http.method !== 'DELETE' || !http.path.endsWith('}')) return false;
    const own = pathNamesOf({ http, ...rest } as PublicOperation);
    return own.length === names.length && own.every(({ name }, index) => name === names[index]?.name);
  });
  return candidates.toSorted((one, other) => likeness(op, other) - likeness(op, one))[0];
}

/** Reads of the resource that the last parameter of a path names, without an effect: their replies repeat its id. */
export function readsOf(op: PublicOperation): readonly PublicOperation[] {
  const names = namesIn(op);
  const last = pathNamesOf(op).at(-1)?.name;
  return operations.filter(
    (read) =>
      read.http.method === 'GET' &&
      read.repeatable === true &&
      read.reply !== undefined &&
      namesIn(read) === names &&
      Object.keys(propertiesOf(schemaOf(read.reply))).some((field) => nameOfField(field) === last),
  );
}

function namesIn(op: PublicOperation): string {
  return pathNamesOf(op)
    .map(({ name }) => name)
    .join('/');
}

/** The number of leading characters that two paths share. */
function likeness({ http: one }: PublicOperation, { http: other }: PublicOperation): number {
  const limit = Math.min(one.path.length, other.path.length);
  for (let index = 0; index < limit; index += 1) if (one.path[index] !== other.path[index]) return index;
  return limit;
}
