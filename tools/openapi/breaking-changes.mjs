// Names the changes between two OpenAPI documents by which a client that worked with the first fails with the second.
// oasdiff and openapi-changes, which do this well, are no npm packages; openapi-diff does not know OpenAPI 3.1.

/** @typedef {Record<string, any>} Json a part of a document */
/** @typedef {{ before: Json, after: Json }} Documents */
/** @typedef {(at: string, message: string) => void} Report */

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head'];

/**
 * @param {Json} before the released document
 * @param {Json} after
 * @returns {string[]} one line for each change, with its place
 */
export function breakingChanges(before, after) {
  /** @type {string[]} */
  const changes = [];
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

/** @param {Json} document @returns {[string, string][]} */
function operationsOf(document) {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => method in item)
      .map((method) => /** @type {[string, string]} */ ([path, method])),
  );
}

/** @param {Documents} documents @param {Json} old @param {Json} now @param {Report} report */
function compareOperation(documents, old, now, report) {
  if (old.operationId !== now.operationId)
    report('', `operationId is ${now.operationId} instead of ${old.operationId}`);
  compareSecurity(old.security ?? [], now.security ?? [], report);
  compareParameters(documents, old.parameters ?? [], now.parameters ?? [], report);
  compareRequestBody(documents, old.requestBody, now.requestBody, report);
  compareResponses(documents, old.responses, now.responses, report);
}

/** Each set of credentials that was enough must still be enough. @param {Json[]} old @param {Json[]} now @param {Report} report */
function compareSecurity(old, now, report) {
  if (now.length === 0) return;
  const sets = now.map((set) => Object.keys(set));
  for (const set of old.length === 0 ? [{}] : old) {
    const isEnough = sets.some((names) => names.every((name) => name in set));
    if (!isEnough) report('', `${Object.keys(set).join(' and ') || 'no credential'} is not enough any more`);
  }
}

/** @param {Documents} documents @param {Json[]} old @param {Json[]} now @param {Report} report */
function compareParameters(documents, old, now, report) {
  const find = (/** @type {Json[]} */ list, /** @type {Json} */ { name, in: place }) =>
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

/** @param {Documents} documents @param {Json | undefined} old @param {Json | undefined} now @param {Report} report */
function compareRequestBody(documents, old, now, report) {
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

/** @param {Documents} documents @param {Json} old @param {Json} now @param {Report} report */
function compareResponses(documents, old, now, report) {
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

/**
 * @typedef {object} Comparison
 * @property {Documents} documents
 * @property {boolean} isRequest what was accepted must be accepted; otherwise what was promised must be kept
 * @property {Report} report
 * @property {Set<string>} seen references that were followed: schemas may refer to themselves
 */

/** @param {Comparison} comparison @param {string} at @param {Json} [old] @param {Json} [now] */
function compareContents(comparison, at, old = {}, now = {}) {
  for (const [type, { schema }] of Object.entries(old)) {
    if (!now[type]) comparison.report(at, `${type} is gone`);
    else compareSchema(comparison, at, schema, now[type].schema);
  }
}

/** @param {Comparison} comparison @param {string} at @param {Json} oldReference @param {Json} newReference */
function compareSchema(comparison, at, oldReference, newReference) {
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

/** The reference of a schema, or of one that may be null. @param {Json} [schema] @returns {string | undefined} */
function referenceIn(schema = {}) {
  return schema['$ref'] ?? schema['oneOf']?.find((/** @type {Json} */ part) => part['$ref'])?.['$ref'];
}

/**
 * A schema with its references, parts and null followed.
 * @param {Json} document
 * @param {Json} [schema]
 * @returns {Json}
 */
function resolved(document, schema = {}) {
  if (schema['$ref'])
    return resolved(document, document['components'].schemas[schema['$ref'].split('/').at(-1)]);
  if (schema['allOf'])
    return merged(schema['allOf'].map((/** @type {Json} */ part) => resolved(document, part)));
  if (!schema['oneOf']) return schema;
  const parts = schema['oneOf'].map((/** @type {Json} */ part) => resolved(document, part));
  const types = parts.flatMap(({ type = [] }) => type);
  return { ...parts.find((/** @type {Json} */ { type }) => type !== 'null'), type: [...new Set(types)] };
}

/** @param {Json[]} parts @returns {Json} */
function merged(parts) {
  return {
    type: 'object',
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  };
}

/** @param {Comparison} comparison @param {string} at @param {Json} old @param {Json} now */
function compareTypes({ isRequest, report }, at, old, now) {
  const [was, is] = [[old['type'] ?? []].flat(), [now['type'] ?? []].flat()];
  if (was.length === 0 || is.length === 0) return;
  // A request may be sent with every former type; a response may have no type that was never there.
  const lost = isRequest
    ? was.filter((type) => !accepts(is, type))
    : is.filter((type) => !accepts(was, type));
  if (lost.length > 0) report(at, `the type is ${is.join(' or ')} instead of ${was.join(' or ')}`);
  const gone = (old['enum'] ?? []).filter(
    (/** @type {unknown} */ value) => now['enum'] && !now['enum'].includes(value),
  );
  if (isRequest && gone.length > 0) report(at, `${gone.join(', ')} is no value any more`);
  if (isRequest && now['enum'] && !old['enum']) report(at, `only ${now['enum'].join(', ')} are values now`);
}

/** @param {string[]} types @param {string} type */
function accepts(types, type) {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

/** @param {Comparison} comparison @param {string} at @param {Json} old @param {Json} now */
function compareBounds({ report }, at, old, now) {
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

/** @param {Comparison} comparison @param {string} at @param {Json} old @param {Json} now */
function compareProperties(comparison, at, old, now) {
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
