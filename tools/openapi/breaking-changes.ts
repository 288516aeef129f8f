// Names the changes between two OpenAPI documents by which a client that worked with the first fails with the second.
// oasdiff and openapi-changes, which do this well, are no npm packages; openapi-diff does not know OpenAPI 3.1.

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head'] as const;
const maxima = ['maximum', 'maxLength', 'maxItems', 'maxProperties'] as const;
const minima = ['minimum', 'minLength', 'minItems'] as const;

/** What is compared of a document, a part each. */
export interface OpenApiDocument {
  paths?: Record<string, Partial<Record<Method, Operation>>>;
  components?: { schemas?: Record<string, Schema> };
}

type Method = (typeof methods)[number];

interface Operation {
  operationId?: string;
  /** Sets of credentials, of which each is enough. */
  security?: object[];
  parameters?: Parameter[];
  requestBody?: Body & { required?: boolean };
  responses?: Record<string, Body>;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
}

interface Body {
  /** By media type. */
  content?: Record<string, { schema?: Schema }>;
}

interface Schema extends Partial<Record<(typeof maxima)[number] | (typeof minima)[number], number>> {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  pattern?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: unknown;
  oneOf?: Schema[];
  allOf?: Schema[];
}

type Documents = { before: OpenApiDocument; after: OpenApiDocument };
type Report = (at: string, message: string) => void;

/**
 * @param before the released document
 * @returns one line for each change, with its place
 */
export function breakingChanges(before: OpenApiDocument, after: OpenApiDocument): string[] {
  const changes: string[] = [];
  const documents = { before, after };
  for (const { path, method, operation } of operationsOf(before)) {
    const at = `${method.toUpperCase()} ${path}`;
    const now = after.paths?.[path]?.[method];
    if (!now) changes.push(`${at}: the operation is gone`);
    else compareOperation(documents, operation, now, (where, what) => changes.push(`${at}${where}: ${what}`));
  }
  return [...new Set(changes)];
}

function operationsOf({ paths = {} }: OpenApiDocument) {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ path, method, operation }] : [];
    }),
  );
}

function compareOperation(documents: Documents, old: Operation, now: Operation, report: Report) {
  if (old.operationId !== now.operationId)
    report('', `operationId is ${now.operationId} instead of ${old.operationId}`);
  compareSecurity(old.security ?? [], now.security ?? [], report);
  compareParameters(documents, old.parameters ?? [], now.parameters ?? [], report);
  compareRequestBody(documents, old.requestBody, now.requestBody, report);
  compareResponses(documents, old.responses ?? {}, now.responses ?? {}, report);
}

/** Each set of credentials that was enough must still be enough. */
function compareSecurity(old: object[], now: object[], report: Report) {
  if (now.length === 0) return;
  const sets = now.map((set) => Object.keys(set));
  for (const set of old.length === 0 ? [{}] : old) {
    const isEnough = sets.some((names) => names.every((name) => name in set));
    if (!isEnough) report('', `${Object.keys(set).join(' and ') || 'no credential'} is not enough any more`);
  }
}

function compareParameters(documents: Documents, old: Parameter[], now: Parameter[], report: Report) {
  const find = (list: Parameter[], { name, in: place }: Parameter) =>
    list.find((each) => each.name === name && each.in === place);
  for (const parameter of now)
    if (parameter.required && !find(old, parameter)?.required)
      report(` ${parameter.name}`, 'the parameter is required now');
  for (const parameter of old) {
    const successor = find(now, parameter);
    if (!successor) report(` ${parameter.name}`, 'the parameter is gone');
    else
      compareSchema(
        { documents, isRequest: true, report, seen: new Set() },
        ` ${parameter.name}`,
        parameter.schema,
        successor.schema,
      );
  }
}

function compareRequestBody(
  documents: Documents,
  old: Operation['requestBody'],
  now: Operation['requestBody'],
  report: Report,
) {
  if (!now) return;
  if (now.required && !old?.required) report(' body', 'the body is required now');
  if (!old) return;
  compareContents({ documents, isRequest: true, report, seen: new Set() }, ' body', old.content, now.content);
}

function compareResponses(
  documents: Documents,
  old: Record<string, Body>,
  now: Record<string, Body>,
  report: Report,
) {
  for (const [status, { content }] of Object.entries(old).filter(([each]) => each < '300')) {
    if (!now[status]) report('', `status ${status} is gone`);
    else
      compareContents(
        { documents, isRequest: false, report, seen: new Set() },
        ` ${status}`,
        content,
        now[status].content,
      );
  }
}

interface Comparison {
  documents: Documents;
  /** What was accepted must be accepted; otherwise what was promised must be kept. */
  isRequest: boolean;
  report: Report;
  /** References that were followed: schemas may refer to themselves. */
  seen: Set<string>;
}

function compareContents(
  comparison: Comparison,
  at: string,
  old: Body['content'] = {},
  now: Body['content'] = {},
) {
  for (const [type, { schema }] of Object.entries(old)) {
    const successor = now[type];
    if (!successor) comparison.report(at, `${type} is gone`);
    else compareSchema(comparison, at, schema, successor.schema);
  }
}

function compareSchema(comparison: Comparison, at: string, oldReference?: Schema, newReference?: Schema) {
  const reference = referenceIn(oldReference);
  if (reference && comparison.seen.has(reference)) return;
  if (reference) comparison.seen.add(reference);
  const old = resolved(comparison.documents.before, oldReference);
  const now = resolved(comparison.documents.after, newReference);
  compareTypes(comparison, at, old, now);
  if (comparison.isRequest) compareBounds(comparison, at, old, now);
  compareProperties(comparison, at, old, now);
  if (old.items && now.items) compareSchema(comparison, `${at}[]`, old.items, now.items);
}

/** The reference of a schema, or of one that may be null. */
function referenceIn(schema: Schema = {}): string | undefined {
  return schema.$ref ?? schema.oneOf?.find((part) => part.$ref)?.$ref;
}

/** A schema with its references, parts and null followed. */
function resolved(document: OpenApiDocument, schema: Schema = {}): Schema {
  if (schema.$ref)
    return resolved(document, document.components?.schemas?.[schema.$ref.split('/').at(-1) ?? '']);
  if (schema.allOf) return merged(schema.allOf.map((part) => resolved(document, part)));
  if (!schema.oneOf) return schema;
  const parts = schema.oneOf.map((part) => resolved(document, part));
  const types = parts.flatMap(({ type = [] }) => type);
  return { ...parts.find(({ type }) => type !== 'null'), type: [...new Set(types)] };
}

function merged(parts: Schema[]): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(parts.flatMap(({ properties = {} }) => Object.entries(properties))),
    required: parts.flatMap(({ required = [] }) => required),
  };
}

function compareTypes({ isRequest, report }: Comparison, at: string, old: Schema, now: Schema) {
  const [was, is] = [[old.type ?? []].flat(), [now.type ?? []].flat()];
  if (was.length === 0 || is.length === 0) return;
  // A request may be sent with every former type; a response may have no type that was never there.
  const lost = isRequest
    ? was.filter((type) => !accepts(is, type))
    : is.filter((type) => !accepts(was, type));
  if (lost.length > 0) report(at, `the type is ${is.join(' or ')} instead of ${was.join(' or ')}`);
  const gone = (old.enum ?? []).filter((value: unknown) => now.enum && !now.enum.includes(value));
  if (isRequest && gone.length > 0) report(at, `${gone.join(', ')} is no value any more`);
  if (isRequest && now.enum && !old.enum) report(at, `only ${now.enum.join(', ')} are values now`);
}

function accepts(types: string[], type: string) {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

function compareBounds({ report }: Comparison, at: string, old: Schema, now: Schema) {
  for (const name of maxima) {
    const bound = now[name];
    if (bound !== undefined && bound < (old[name] ?? Infinity)) report(at, `${name} is ${bound} now`);
  }
  for (const name of minima) {
    const [was, is] = [old[name], now[name]];
    if (is !== undefined && is > (was ?? -Infinity) && (was !== undefined || is > 0))
      report(at, `${name} is ${is} now`);
  }
  if (now.pattern && now.pattern !== old.pattern && !allowsMore(now.pattern, old.pattern))
    report(at, `the pattern is ${now.pattern} now`);
  if (now.additionalProperties === false && old.additionalProperties !== false)
    report(at, 'unknown fields are refused now');
}

/** Whether a pattern is another one with an optional ending: what matched still does. */
function allowsMore(now: string, old: string | undefined): boolean {
  if (!old?.endsWith('$')) return false;
  const common = old.slice(0, -1);
  return now.startsWith(common) && /^\(\?:[^()]*\)\?\$$/.test(now.slice(common.length));
}

function compareProperties(comparison: Comparison, at: string, old: Schema, now: Schema) {
  const { isRequest, report } = comparison;
  const [was = {}, is = {}] = [old.properties, now.properties];
  const [wasRequired = [], isRequired = []] = [old.required, now.required];
  for (const name of isRequest ? isRequired : [])
    if (!wasRequired.includes(name)) report(`${at}.${name}`, 'the field is required now');
  for (const [name, schema] of Object.entries(was)) {
    const successor = is[name];
    if (!successor) report(`${at}.${name}`, 'the field is gone');
    else compareSchema(comparison, `${at}.${name}`, schema, successor);
  }
  for (const name of isRequest ? [] : wasRequired)
    if (is[name] && !isRequired.includes(name)) report(`${at}.${name}`, 'the field may be absent now');
}
