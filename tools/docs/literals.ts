import ts from 'typescript';

/** Names and the expressions that they stand for: constants of a file, and parameters bound to a row of a table. */
export type Names = ReadonlyMap<string, ts.Expression>;

/** The constants of a file, those inside of functions too. A name that is declared twice is left out. */
export function constantsOf(file: ts.SourceFile): Names {
  const found: Map<string, ts.Expression | undefined> = new Map();
  const visit = (node: ts.Node) => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name))
      found.set(node.name.text, found.has(node.name.text) ? undefined : node.initializer);
    node.forEachChild(visit);
  };
  visit(file);
  return new Map([...found].flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

/**
 * The expression behind names, parentheses and type assertions.
 * @param depth of names that lead to names
 */
export function resolve(node: ts.Expression, names: Names, depth = 0): ts.Expression {
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
    return resolve(node.expression, names, depth);
  if (depth > 5) return node;
  if (ts.isIdentifier(node)) {
    const value = names.get(node.text);
    return value && value !== node ? resolve(value, names, depth + 1) : node;
  }
  if (ts.isPropertyAccessExpression(node)) {
    const value = propertyOf(resolve(node.expression, names, depth + 1), node.name.text);
    return value ? resolve(value, names, depth + 1) : node;
  }
  return node;
}

/** @returns nothing where the object is no literal or lacks the property */
export function propertyOf(object: ts.Expression, name: string): ts.Expression | undefined {
  if (!ts.isObjectLiteralExpression(object)) return undefined;
  for (const property of object.properties) {
    if (!property.name || nameOf(property.name) !== name) continue;
    if (ts.isPropertyAssignment(property)) return property.initializer;
    if (ts.isShorthandPropertyAssignment(property)) return property.name;
  }
  return undefined;
}

export function nameOf(name: ts.PropertyName) {
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)
    ? name.text
    : name.getText();
}

/**
 * The elements of a literal list, of `Object.keys`, `Object.values` and `Object.entries` of a literal object.
 * @returns nothing where they are known only at run time
 */
export function elementsOf(
  node: ts.Expression,
  names: Names,
): (ts.Expression | readonly ts.Expression[])[] | undefined {
  const list = resolve(node, names);
  if (ts.isArrayLiteralExpression(list)) {
    const parts = list.elements.map((element) =>
      ts.isSpreadElement(element) ? elementsOf(element.expression, names) : [element],
    );
    return parts.includes(undefined) ? undefined : parts.flatMap((part) => part ?? []);
  }
  const [, method] =
    /^Object\.(keys|values|entries)$/.exec(ts.isCallExpression(list) ? list.expression.getText() : '') ?? [];
  if (!method || !ts.isCallExpression(list) || !list.arguments[0]) return undefined;
  const object = resolve(list.arguments[0], names);
  if (!ts.isObjectLiteralExpression(object)) return undefined;
  const properties = object.properties.filter(ts.isPropertyAssignment);
  if (properties.length < object.properties.length) return undefined;
  return properties.map(({ name, initializer }) => {
    const key = ts.isIdentifier(name) ? ts.factory.createStringLiteral(name.text) : (name as ts.Expression);
    return method === 'keys' ? key : method === 'values' ? initializer : [key, initializer];
  });
}

/** The text of an expression in a sentence. A part that is known only at run time is named in angle brackets. */
export function wordsOf(node: ts.Expression, names: Names): string {
  const value = resolve(node, names);
  if (ts.isStringLiteralLike(value)) return value.text;
  if (ts.isTemplateExpression(value))
    return (
      value.head.text +
      value.templateSpans.map((span) => wordsOf(span.expression, names) + span.literal.text).join('')
    );
  if (ts.isBinaryExpression(value) && value.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return wordsOf(value.left, names) + wordsOf(value.right, names);
  if (ts.isConditionalExpression(value))
    return `${wordsOf(value.whenTrue, names)} or ${wordsOf(value.whenFalse, names)}`;
  if (isPlainLiteral(value)) return value.getText();
  if (ts.isCallExpression(value) && /^(String|Number|JSON\.stringify)$/.test(value.expression.getText()))
    return value.arguments[0] ? wordsOf(value.arguments[0], names) : '';
  const repeated = ts.isCallExpression(value) ? repetition(value, names) : undefined;
  return repeated ?? placeholder(nameBehind(node));
}

/**
 * `'x'.repeat(300)` as `x × 300`.
 * @returns nothing for every other call
 */
function repetition({ expression, arguments: [times] }: ts.CallExpression, names: Names): string | undefined {
  if (!times || !ts.isPropertyAccessExpression(expression) || expression.name.text !== 'repeat')
    return undefined;
  return `${wordsOf(expression.expression, names)} × ${wordsOf(times, names)}`;
}

function isPlainLiteral(node: ts.Expression) {
  if (ts.isPrefixUnaryExpression(node)) return ts.isNumericLiteral(node.operand);
  if (ts.isIdentifier(node)) return node.text === 'undefined';
  if (ts.isArrayLiteralExpression(node) || ts.isObjectLiteralExpression(node))
    return node.pos >= 0 && node.getText().length <= 40 && !node.getText().includes('\n');
  return (
    ts.isNumericLiteral(node) ||
    ts.isBigIntLiteral(node) ||
    ts.isRegularExpressionLiteral(node) ||
    [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword, ts.SyntaxKind.NullKeyword].includes(node.kind)
  );
}

/** The identifier that says best what an expression is. */
function nameBehind(node: ts.Node): string {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node))
    return /^(length|size|name|id)$/.test(node.name.text)
      ? `${nameBehind(node.expression)} ${node.name.text}`
      : node.name.text;
  if (ts.isCallExpression(node)) {
    const callee = node.expression;
    const isMethodOfValue =
      ts.isPropertyAccessExpression(callee) && /^(join|map|toString|slice|at|get)$/.test(callee.name.text);
    return nameBehind(isMethodOfValue ? callee.expression : callee);
  }
  if (ts.isElementAccessExpression(node) || ts.isNonNullExpression(node) || ts.isAsExpression(node))
    return nameBehind(node.expression);
  if (ts.isParenthesizedExpression(node) || ts.isAwaitExpression(node)) return nameBehind(node.expression);
  if (ts.isBinaryExpression(node)) return nameBehind(node.left);
  return 'value';
}

/** @param name `sparkId` becomes `<spark id>` */
export function placeholder(name: string) {
  const words = name
    .replace(/^_+/, '')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[_.]+/g, ' ')
    .toLowerCase()
    .trim();
  return `<${words || 'case'}>`;
}
