// @ts-nocheck
// Names the changes between two OpenAPI documents by which a client that worked with the first fails with the second.
// oasdiff and openapi-changes, which do this well, are no npm packages; openapi-diff does not know OpenAPI 3.1.

/** A part of a document. */
type Json = Record<string, any>;
type Documents = { before: Json; after: Json };
type Report = (at: string, message: string) => void;

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head'];

/**
 * @param before the released document
 * @returns one line for each change, with its place
 */
export function breakingChanges(before: Json, after: Json): string[] {
  const changes: string[] = [];
  const documents = { before, after };
  for (const [path, method] of operationsOf(before)) {
    const at = `${method.toUpperCase()} ${path}`;
    const now = after.paths[path]?.[method];
    if (!now) changes.push(`${at}: the operation is gone`);
    else
      compareOperation(documents, before.paths[path][method], now, (where, what) =>
        changes.push(`${at}${where}: ${what}`),
      );
  }
  return [...new Set(changes)];
}

function operationsOf(document: Json): [string, string][] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.filter((method) => method in item).map((method) => [path, method] as [string, string]),
  );
}

function compareOperation(documents: Documents, old: Json, now: Json, report: Report) {
  if (old.operationId !== now.operationId)
    report('', `operationId is ${now.operationId} instead of ${old.operationId}`);
  compareSecurity(old.security ?? [], now.security ?? [], report);
  compareParameters(documents, old.parameters ?? [], now.parameters ?? [], report);
  compareRequestBody(documents, old.requestBody, now.requestBody, report);
  compareResponses(documents, old.responses, now.responses, report);
}

/** Each set of credentials that was enough must still be enough. */
function compareSecurity(old: Json[], now: Json[], report: Report) {
  if (now.length === 0) return;
  const sets = now.map((set) => Object.keys(set));
  for (const set of old.length === 0 ? [{}] : old) {
    const isEnough = sets.some((names) => names.every((name) => name in set));
    if (!isEnough) report('', `${Object.keys(set).join(' and ') || 'no credential'} is not enough any more`);
  }
}

function compareParameters(documents: Documents, old: Json[], now: Json[], report: Report) {
  const find = (list: Json[], { name, in: place }: Json) =>
    list.find((each) => each['name'] === name && each['in'] === place);
  for (const parameter of now)
    if (parameter['required'] && !find(old, parameter)?.['required'])
      report(` ${parameter['name']}`, 'the parameter is required now');
  for (const parameter of old) {
    const successor = find(now, parameter);
    if (!successor) report(` ${parameter['name']}`, 'the parameter is gone');
    else
      compareSchema(
        { documents, isRequest: true, report, seen: new Set() },
        ` ${parameter['name']}`,
        parameter['schema'],
        successor['schema'],
      );
  }
}

function compareRequestBody(
  documents: Documents,
  old: Json | undefined,
  now: Json | undefined,
  report: Report,
) {
  if (!now) return;
  if (now['required'] && !old?.['required']) report(' body', 'the body is required now');
  if (!old) return;
  compareContents(
    { documents, isRequest: true, report, seen: new Set() },
    ' body',
    old['content'],
    now['content'],
  );
}

function compareResponses(documents: Documents, old: Json, now: Json, report: Report) {
  for (const status of Object.keys(old).filter((each) => each < '300')) {
    if (!now[status]) report('', `status ${status} is gone`);
    else
      compareContents(
        { documents, isRequest: false, report, seen: new Set() },
        ` ${status}`,
        old[status].content,
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

function compareContents(comparison: Comparison, at: string, old: Json = {}, now: Json = {}) {
  for (const [type, { schema }] of Object.entries(old)) {
    if (!now[type]) comparison.report(at, `${type} is gone`);
    else compareSchema(comparison, at, schema, now[type].schema);
  }
}

function compareSchema(comparison: Comparison, at: string, oldReference: Json, newReference: Json) {
  const reference = referenceIn(oldReference);
  if (reference && comparison.seen.has(reference)) return;
  if (reference) comparison.seen.add(reference);
  const old = resolved(comparison.documents.before, oldReference);
  const now = resolved(comparison.documents.after, newReference);
  compareTypes(comparison, at, old, now);
  if (comparison.isRequest) compareBounds(comparison, at, old, now);
  compareProperties(comparison, at, old, now);
  if (old['items'] && now['items']) compareSchema(comparison, `${at}[]`, old['items'], now['items']);
}

/** The reference of a schema, or of one that may be null. */
function referenceIn(schema: Json = {}): string | undefined {
  return schema['$ref'] ?? schema['oneOf']?.find((part: Json) => part['$ref'])?.['$ref'];
}

/** A schema with its references, parts and null followed. */
function resolved(document: Json, schema: Json = {}): Json {
  if (schema['$ref'])
    return resolved(document, document['components'].schemas[schema['$ref'].split('/').at(-1)]);
  if (schema['allOf']) return merged(schema['allOf'].map((part: Json) => resolved(document, part)));
  if (!schema['oneOf']) return schema;
  const parts = schema['oneOf'].map((part: Json) => resolved(document, part));
  const types = parts.flatMap(({ type = [] }) => type);
  return { ...parts.find(({ type }: Json) => type !== 'null'), type: [...new Set(types)] };
}

function merged(parts: Json[]): Json {
  return {
    type: 'object',
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  };
}

function compareTypes({ isRequest, report }: Comparison, at: string, old: Json, now: Json) {
  const [was, is] = [[old['type'] ?? []].flat(), [now['type'] ?? []].flat()];
  if (was.length === 0 || is.length === 0) return;
  // A request may be sent with every former type; a response may have no type that was never there.
  const lost = isRequest
    ? was.filter((type) => !accepts(is, type))
    : is.filter((type) => !accepts(was, type));
  if (lost.length > 0) report(at, `the type is ${is.join(' or ')} instead of ${was.join(' or ')}`);
  const gone = (old['enum'] ?? []).filter((value: unknown) => now['enum'] && !now['enum'].includes(value));
  if (isRequest && gone.length > 0) report(at, `${gone.join(', ')} is no value any more`);
  if (isRequest && now['enum'] && !old['enum']) report(at, `only ${now['enum'].join(', ')} are values now`);
}

function accepts(types: string[], type: string) {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

function compareBounds({ report }: Comparison, at: string, old: Json, now: Json) {
  for (const name of ['maximum', 'maxLength', 'maxItems', 'maxProperties'])
    if (now[name] !== undefined && now[name] < (old[name] ?? Infinity))
      report(at, `${name} is ${now[name]} now`);
  for (const name of ['minimum', 'minLength', 'minItems'])
    if (
      now[name] !== undefined &&
      now[name] > (old[name] ?? -Infinity) &&
      (old[name] !== undefined || now[name] > 0)
    )
      report(at, `${name} is ${now[name]} now`);
  if (now['pattern'] && now['pattern'] !== old['pattern']) report(at, `the pattern is ${now['pattern']} now`);
  if (now['additionalProperties'] === false && old['additionalProperties'] !== false)
    report(at, 'unknown fields are refused now');
}

function compareProperties(comparison: Comparison, at: string, old: Json, now: Json) {
  const { isRequest, report } = comparison;
  const [was = {}, is = {}] = [old['properties'], now['properties']];
  const [wasRequired = [], isRequired = []] = [old['required'], now['required']];
  for (const name of isRequest ? isRequired : [])
    if (!wasRequired.includes(name)) report(`${at}.${name}`, 'the field is required now');
  for (const [name, schema] of Object.entries(was)) {
    if (!is[name]) report(`${at}.${name}`, 'the field is gone');
    else compareSchema(comparison, `${at}.${name}`, schema, is[name]);
  }
  for (const name of isRequest ? [] : wasRequired)
    if (is[name] && !isRequired.includes(name)) report(`${at}.${name}`, 'the field may be absent now');
}
