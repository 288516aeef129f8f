import ts from 'typescript';

/**
 * The tokens by which the classes of a source are injected: the types of constructor parameters, and the arguments of `@Inject`
 * and of `get` and `resolve` of a module reference.
 * @param {ts.SourceFile} source
 * @returns {string[]}
 */
export function injectedTokens(source) {
  /** @type {string[]} */
  const tokens = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isConstructorDeclaration(node))
      for (const { type } of node.parameters)
        if (type && ts.isTypeReferenceNode(type)) tokens.push(type.typeName.getText());
    if (ts.isCallExpression(node) && isInjection(node.expression))
      tokens.push(...node.arguments.map((one) => one.getText()));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return tokens;
}

/** @param {ts.Expression} callee */
function isInjection(callee) {
  if (ts.isIdentifier(callee)) return callee.text === 'Inject' || callee.text === 'forwardRef';
  return ts.isPropertyAccessExpression(callee) && ['get', 'resolve'].includes(callee.name.text);
}

/**
 * The custom providers of a source: objects with `provide`, and every name that their class, factory or value mentions.
 * @param {ts.SourceFile} source
 * @returns {{ token: string, names: string[] }[]}
 */
export function providersOf(source) {
  /** @type {{ token: string, names: string[] }[]} */
  const providers = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    const token = ts.isObjectLiteralExpression(node) ? provided(node) : undefined;
    if (token !== undefined) providers.push({ token, names: namesIn(node, source) });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return providers;
}

/** @param {ts.ObjectLiteralExpression} object */
function provided(object) {
  const property = object.properties.find((one) => one.name?.getText() === 'provide');
  return property && ts.isPropertyAssignment(property) ? property.initializer.getText() : undefined;
}

/**
 * The names that an expression mentions, those of constants of the same source followed.
 * @param {ts.Node} expression
 * @param {ts.SourceFile} source
 * @returns {string[]}
 */
function namesIn(expression, source) {
  const names = new Set();
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isIdentifier(node) && !names.has(node.text)) {
      names.add(node.text);
      const constant = constantOf(node.text, source);
      if (constant) visit(constant);
    }
    ts.forEachChild(node, visit);
  };
  visit(expression);
  return [...names];
}

/**
 * @param {string} name
 * @param {ts.SourceFile} source
 */
function constantOf(name, source) {
  for (const statement of source.statements)
    if (ts.isVariableStatement(statement))
      for (const { name: declared, initializer } of statement.declarationList.declarations)
        if (declared.getText() === name) return initializer;
  return undefined;
}
