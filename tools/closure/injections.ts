import ts from 'typescript';

/**
 * The tokens by which the classes of a source are injected: the types of constructor parameters, and the arguments of `@Inject`
 * and of `get` and `resolve` of a module reference.
 */
export function injectedTokens(source: ts.SourceFile): string[] {
  const tokens: string[] = [];
  const visit = (node: ts.Node) => {
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

function isInjection(callee: ts.Expression) {
  if (ts.isIdentifier(callee)) return callee.text === 'Inject' || callee.text === 'forwardRef';
  return ts.isPropertyAccessExpression(callee) && ['get', 'resolve'].includes(callee.name.text);
}

/** The custom providers of a source: objects with `provide`, and every name that their class, factory or value mentions. */
export function providersOf(source: ts.SourceFile): { token: string; names: string[] }[] {
  const providers: { token: string; names: string[] }[] = [];
  const visit = (node: ts.Node) => {
    const token = ts.isObjectLiteralExpression(node) ? provided(node) : undefined;
    if (token !== undefined) providers.push({ token, names: namesIn(node, source) });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return providers;
}

function provided(object: ts.ObjectLiteralExpression) {
  const property = object.properties.find((one) => one.name?.getText() === 'provide');
  return property && ts.isPropertyAssignment(property) ? property.initializer.getText() : undefined;
}

/** The names that an expression mentions, those of constants of the same source followed. */
function namesIn(expression: ts.Node, source: ts.SourceFile): string[] {
  const names = new Set<string>();
  const visit = (node: ts.Node) => {
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

function constantOf(name: string, source: ts.SourceFile) {
  for (const statement of source.statements)
    if (ts.isVariableStatement(statement))
      for (const { name: declared, initializer } of statement.declarationList.declarations)
        if (declared.getText() === name) return initializer;
  return undefined;
}
