import ts from 'typescript';
import { constantsOf, elementsOf, placeholder, propertyOf, resolve, wordsOf } from './literals.mjs';

const idPattern = String.raw`(?:\b(?!AES|SHA|UTF|RFC|ISO)[A-Z]{3,5}-\d{2,3}\b|\bTRAP \d+\b)`;

/** A requirement's id, as in `SPK-30`, `OPEN-51` and `TRAP 14`. Names of standards, such as AES-256, look the same. */
const id = new RegExp(idPattern, 'g');

/** Ids that lead a title are labels; those inside a sentence are part of it. */
const leadingIds = new RegExp(String.raw`^(?:${idPattern}[\s,;:]*)+`);

/** `%s` of a table of lists, `$name` of a table of objects. */
const slot = /%[sdifjopc#%]|\$[a-zA-Z_#][\w.]*/g;

/** A table with more rows is one title, in which the columns are named. */
const rowsMax = 12;

/**
 * The guarantee of a test: `groups` are the titles of the groups around it, without their ids.
 * @typedef {{ ids: string[], groups: string[], guarantee: string }} Title
 */

/** @typedef {import('./literals.mjs').Names} Names */

/**
 * The titles of the tests of a file, a table of tests with a title for each row.
 * @param {ts.SourceFile} file
 * @returns {Title[]}
 */
export function titlesIn(file) {
  return collect(file, { ids: [], groups: [], names: constantsOf(file) });
}

/**
 * @typedef {object} Context
 * @property {readonly string[]} ids of the groups around
 * @property {readonly string[]} groups
 * @property {Names} names
 */

/**
 * @param {ts.Node} node
 * @param {Context} context
 * @returns {Title[]}
 */
function collect(node, context) {
  if (ts.isForOfStatement(node)) return loop(node, context);
  const call = ts.isCallExpression(node) ? namedCall(node) : undefined;
  if (!call) return inside(node, context);
  return rowsOf(call, context.names).flatMap((row) => {
    const names = new Map([...context.names, ...boundBy(call.body, row)]);
    const title = fill(wordsOf(call.title, names), row, call.body, names);
    const ids = [...new Set([...context.ids, ...(title.match(id) ?? [])])];
    const sentence = title.replace(leadingIds, '').trim();
    if (call.isTest) return [{ ids, groups: [...context.groups], guarantee: sentence || title }];
    return inside(node, { ids, names, groups: sentence ? [...context.groups, sentence] : context.groups });
  });
}

/**
 * @param {ts.Node} node
 * @param {Context} context
 * @returns {Title[]}
 */
function inside(node, context) {
  /** @type {Title[]} */
  const titles = [];
  node.forEachChild((child) => void titles.push(...collect(child, context)));
  return titles;
}

/**
 * Tests in a loop over a literal list are tests for each of its elements.
 * @param {ts.ForOfStatement} node
 * @param {Context} context
 * @returns {Title[]}
 */
function loop(node, context) {
  const declared = ts.isVariableDeclarationList(node.initializer)
    ? node.initializer.declarations[0]
    : undefined;
  const elements = elementsOf(node.expression, context.names);
  if (!declared || !elements || elements.length > rowsMax) return inside(node.statement, context);
  return elements.flatMap((element) => {
    const names = new Map([...context.names, ...bindingsOf(declared.name, element)]);
    return inside(node.statement, { ...context, names });
  });
}

/**
 * @typedef {object} NamedCall
 * @property {boolean} isTest
 * @property {ts.Expression} title
 * @property {ts.Expression | undefined} table of `.each`
 * @property {ts.Expression | undefined} body
 */

/**
 * @param {ts.CallExpression} node
 * @returns {NamedCall | undefined} nothing for a call that is no test and no group
 */
function namedCall(node) {
  const name = rootOf(node.expression);
  const [title, body] = node.arguments;
  if (!title || !/^(it|test|describe)$/.test(name) || !isText(title)) return undefined;
  const each = node.expression;
  const table =
    ts.isCallExpression(each) && /\.each$/.test(each.expression.getText()) ? each.arguments[0] : undefined;
  return { isTest: name !== 'describe', title, table, body };
}

/**
 * @param {ts.Expression} node
 * @returns {boolean}
 */
function isText(node) {
  if (ts.isBinaryExpression(node)) return isText(node.left) || isText(node.right);
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

/**
 * The `it` of `it`, `it.each(…)` and it.each`…`.
 * @param {ts.Expression} expression
 * @returns {string}
 */
function rootOf(expression) {
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isPropertyAccessExpression(expression) || ts.isCallExpression(expression))
    return rootOf(expression.expression);
  if (ts.isTaggedTemplateExpression(expression)) return rootOf(expression.tag);
  return '';
}

/** @typedef {ts.Expression | readonly ts.Expression[] | undefined} Row */

/**
 * The rows of a literal table that is short enough; one unknown row for every other table, and for no table.
 * @param {NamedCall} call
 * @param {Names} names
 * @returns {Row[]}
 */
function rowsOf({ table }, names) {
  const rows = table && elementsOf(table, names);
  return rows && rows.length > 0 && rows.length <= rowsMax
    ? rows.map((row) => cells(row, names))
    : [undefined];
}

/**
 * @param {ts.Expression | readonly ts.Expression[]} row
 * @param {Names} names
 * @returns {Row}
 */
function cells(row, names) {
  if (Array.isArray(row)) return row;
  const value = resolve(/** @type {ts.Expression} */ (row), names);
  if (ts.isArrayLiteralExpression(value)) return [...value.elements];
  return value;
}

/**
 * The parameters of a test bound to the cells of its row.
 * @param {ts.Expression | undefined} body
 * @param {Row} row
 * @returns {[string, ts.Expression][]}
 */
function boundBy(body, row) {
  if (!row || !body || !ts.isFunctionLike(body)) return [];
  const values = Array.isArray(row) ? row : [row];
  return body.parameters.flatMap(({ name }, index) => (values[index] ? bindingsOf(name, values[index]) : []));
}

/**
 * @param {ts.BindingName} name
 * @param {ts.Expression | readonly ts.Expression[]} value
 * @returns {[string, ts.Expression][]}
 */
function bindingsOf(name, value) {
  if (ts.isIdentifier(name)) return 'kind' in value ? [[name.text, value]] : [];
  return name.elements.flatMap((element, index) => {
    if (!ts.isBindingElement(element)) return [];
    const part = partOf(value, name, element, index);
    return part ? bindingsOf(element.name, part) : [];
  });
}

/**
 * @param {ts.Expression | readonly ts.Expression[]} value
 * @param {ts.BindingPattern} pattern
 * @param {ts.BindingElement} element
 * @param {number} index
 * @returns {ts.Expression | undefined}
 */
function partOf(value, pattern, element, index) {
  if (!('kind' in value)) return value[index];
  if (ts.isArrayBindingPattern(pattern))
    return ts.isArrayLiteralExpression(value) ? value.elements[index] : undefined;
  return propertyOf(value, (element.propertyName ?? element.name).getText());
}

/**
 * A title with the values of its row in its slots, or the names of its columns.
 * @param {string} title
 * @param {Row} row
 * @param {ts.Expression | undefined} body
 * @param {Names} names
 */
function fill(title, row, body, names) {
  let next = 0;
  return title.replaceAll(slot, (mark) => {
    if (mark === '%%') return '%';
    if (mark === '%#' || mark === '$#') return '<row>';
    if (mark.startsWith('$')) return propertyIn(row, mark.slice(1), names);
    const index = next++;
    const cell = Array.isArray(row) ? row[index] : index === 0 ? row : undefined;
    const text = cell && wordsOf(/** @type {ts.Expression} */ (cell), names);
    return text && text !== '<value>' ? text : placeholder(parameterOf(body, index));
  });
}

/**
 * @param {Row} row
 * @param {string} path as in `$file.bytes`
 * @param {Names} names
 */
function propertyIn(row, path, names) {
  /** @type {ts.Expression | undefined} */
  let value = row && 'kind' in row ? row : undefined;
  for (const name of path.split('.')) value = value && propertyOf(resolve(value, names), name);
  const text = value && wordsOf(value, names);
  return text && text !== '<value>' ? text : placeholder(path);
}

/**
 * @param {ts.Expression | undefined} body
 * @param {number} index
 */
function parameterOf(body, index) {
  const name = body && ts.isFunctionLike(body) ? body.parameters[index]?.name : undefined;
  return name && ts.isIdentifier(name) ? name.text : 'case';
}
