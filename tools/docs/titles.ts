import ts from 'typescript';
import {
  constantsOf,
  elementsOf,
  placeholder,
  propertyOf,
  resolve,
  wordsOf,
  type Names,
} from './literals.ts';

const idPattern = String.raw`(?:\b(?!AES|SHA|UTF|RFC|ISO)[A-Z]{3,5}-\d{2,3}\b|\bTRAP \d+\b)`;

/** A requirement's id, as in `SPK-30`, `OPEN-51` and `TRAP 14`. Names of standards, such as AES-256, look the same. */
const id = new RegExp(idPattern, 'g');

/** Ids that lead a title are labels; those inside a sentence are part of it. */
const leadingIds = new RegExp(String.raw`^(?:${idPattern}[\s,;:]*)+`);

/** `%s` of a table of lists, `$name` of a table of objects. */
const slot = /%[sdifjopc#%]|\$[a-zA-Z_#][\w.]*/g;

/** A table with more rows is one title, in which the columns are named. */
const rowsMax = 12;

/** The guarantee of a test: `groups` are the titles of the groups around it, without their ids. */
type Title = { ids: string[]; groups: string[]; guarantee: string };

/** The titles of the tests of a file, a table of tests with a title for each row. */
export function titlesIn(file: ts.SourceFile): Title[] {
  return collect(file, { ids: [], groups: [], names: constantsOf(file) });
}

interface Context {
  /** Of the groups around. */
  ids: readonly string[];
  groups: readonly string[];
  names: Names;
}

function collect(node: ts.Node, context: Context): Title[] {
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

function inside(node: ts.Node, context: Context): Title[] {
  const titles: Title[] = [];
  node.forEachChild((child) => void titles.push(...collect(child, context)));
  return titles;
}

/** Tests in a loop over a literal list are tests for each of its elements. */
function loop(node: ts.ForOfStatement, context: Context): Title[] {
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

interface NamedCall {
  isTest: boolean;
  title: ts.Expression;
  /** Of `.each`. */
  table: ts.Expression | undefined;
  body: ts.Expression | undefined;
}

/** @returns nothing for a call that is no test and no group */
function namedCall(node: ts.CallExpression): NamedCall | undefined {
  const name = rootOf(node.expression);
  const [title, body] = node.arguments;
  if (!title || !/^(it|test|describe)$/.test(name) || !isText(title)) return undefined;
  const each = node.expression;
  const table =
    ts.isCallExpression(each) && /\.each$/.test(each.expression.getText()) ? each.arguments[0] : undefined;
  return { isTest: name !== 'describe', title, table, body };
}

function isText(node: ts.Expression): boolean {
  if (ts.isBinaryExpression(node)) return isText(node.left) || isText(node.right);
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

/** The `it` of `it`, `it.each(…)` and it.each`…`. */
function rootOf(expression: ts.Expression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isPropertyAccessExpression(expression) || ts.isCallExpression(expression))
    return rootOf(expression.expression);
  if (ts.isTaggedTemplateExpression(expression)) return rootOf(expression.tag);
  return '';
}

type Row = ts.Expression | readonly ts.Expression[] | undefined;

/** The rows of a literal table that is short enough; one unknown row for every other table, and for no table. */
function rowsOf({ table }: NamedCall, names: Names): Row[] {
  const rows = table && elementsOf(table, names);
  return rows && rows.length > 0 && rows.length <= rowsMax
    ? rows.map((row) => cells(row, names))
    : [undefined];
}

function cells(row: ts.Expression | readonly ts.Expression[], names: Names): Row {
  if (Array.isArray(row)) return row;
  const value = resolve(row as ts.Expression, names);
  if (ts.isArrayLiteralExpression(value)) return [...value.elements];
  return value;
}

/** The parameters of a test bound to the cells of its row. */
function boundBy(body: ts.Expression | undefined, row: Row): [string, ts.Expression][] {
  if (!row || !body || !ts.isFunctionLike(body)) return [];
  const values = Array.isArray(row) ? row : [row];
  return body.parameters.flatMap(({ name }, index) => (values[index] ? bindingsOf(name, values[index]) : []));
}

function bindingsOf(
  name: ts.BindingName,
  value: ts.Expression | readonly ts.Expression[],
): [string, ts.Expression][] {
  if (ts.isIdentifier(name)) return 'kind' in value ? [[name.text, value]] : [];
  return name.elements.flatMap((element, index) => {
    if (!ts.isBindingElement(element)) return [];
    const part = partOf(value, name, element, index);
    return part ? bindingsOf(element.name, part) : [];
  });
}

function partOf(
  value: ts.Expression | readonly ts.Expression[],
  pattern: ts.BindingPattern,
  element: ts.BindingElement,
  index: number,
): ts.Expression | undefined {
  if (!('kind' in value)) return value[index];
  if (ts.isArrayBindingPattern(pattern))
    return ts.isArrayLiteralExpression(value) ? value.elements[index] : undefined;
  return propertyOf(value, (element.propertyName ?? element.name).getText());
}

/** A title with the values of its row in its slots, or the names of its columns. */
function fill(title: string, row: Row, body: ts.Expression | undefined, names: Names) {
  let next = 0;
  return title.replaceAll(slot, (mark) => {
    if (mark === '%%') return '%';
    if (mark === '%#' || mark === '$#') return '<row>';
    if (mark.startsWith('$')) return propertyIn(row, mark.slice(1), names);
    const index = next++;
    const cell = Array.isArray(row) ? row[index] : index === 0 ? row : undefined;
    const text = cell && wordsOf(cell as ts.Expression, names);
    return text && text !== '<value>' ? text : placeholder(parameterOf(body, index));
  });
}

/** @param path as in `$file.bytes` */
function propertyIn(row: Row, path: string, names: Names) {
  let value: ts.Expression | undefined = row && 'kind' in row ? row : undefined;
  for (const name of path.split('.')) value = value && propertyOf(resolve(value, names), name);
  const text = value && wordsOf(value, names);
  return text && text !== '<value>' ? text : placeholder(path);
}

function parameterOf(body: ts.Expression | undefined, index: number) {
  const name = body && ts.isFunctionLike(body) ? body.parameters[index]?.name : undefined;
  return name && ts.isIdentifier(name) ? name.text : 'case';
}
