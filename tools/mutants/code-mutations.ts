import ts from 'typescript';
import type { Kind, Mutation } from './site.ts';

/** Another success status of the same meaning for a caller that looks at the class alone. */
const otherStatus: Readonly<Record<string, string>> = { 200: '201', 201: '200', 202: '200', 204: '200' };

/** The decorators of fields that have bounds. */
const bounds = new Set(['max', 'min', 'maxItems', 'minItems']);

/** The mutations of contracts, handlers and HTTP: a status, a role, a default, a bound, an error, an event, a header. */
export function codeMutations(node: ts.Node): readonly Mutation[] {
  const found = mutators.map((mutate) => mutate(node)).find((mutation) => mutation !== undefined);
  return found ? [found] : [];
}

const mutators: readonly ((node: ts.Node) => Mutation | undefined)[] = [
  successStatus,
  role,
  bound,
  constantLimit,
  defaultValue,
  reason,
  event,
  header,
];

function replace(kind: Kind, node: ts.Node, replacement: string): Mutation {
  return { kind, start: node.getStart(), end: node.getEnd(), replacement };
}

function successStatus(node: ts.Node): Mutation | undefined {
  if (!isProperty(node, 'status') || !ts.isNumericLiteral(node.initializer)) return undefined;
  const other = otherStatus[node.initializer.text];
  return other === undefined ? undefined : replace('status', node.initializer, other);
}

/** `undefined` for any caller with the credential. */
function role(node: ts.Node): Mutation | undefined {
  if (!isProperty(node, 'role') || !ts.isStringLiteral(node.initializer)) return undefined;
  return isProperty(node.parent.parent, 'access')
    ? replace('role', node.initializer, 'undefined')
    : undefined;
}

function bound(node: ts.Node): Mutation | undefined {
  if (!ts.isPropertyAssignment(node) || !ts.isIdentifier(node.name) || !bounds.has(node.name.text))
    return undefined;
  if (!ts.isNumericLiteral(node.initializer) || !isInDecorator(node)) return undefined;
  if (isSignless(node)) return undefined;
  return replace('limit', node.initializer, String(offByOne(node.initializer, node.name.text)));
}

/** A setting is written without a sign, so that nothing is less than 0. */
function isSignless({ initializer, parent }: ts.PropertyAssignment): boolean {
  const call = parent.parent;
  return (
    ts.isCallExpression(call) && call.expression.getText() === 'integer' && initializer.getText() === '0'
  );
}

/** One more of what is allowed at most; one less of what is asked at least. */
function offByOne({ text }: ts.NumericLiteral, name: string): number {
  return Number(text.replaceAll('_', '')) + (name.startsWith('min') ? -1 : 1);
}

/** `const SPARKS_MAX = 500` and the like; nobody sees how many rows a job takes at once. */
function constantLimit(node: ts.Node): Mutation | undefined {
  if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name) || !node.initializer) return undefined;
  if (!/_MAX$|_LIMIT$|^MAX_/.test(node.name.text) || node.name.text.includes('BATCH')) return undefined;
  if (!ts.isNumericLiteral(node.initializer)) return undefined;
  return replace('limit', node.initializer, String(offByOne(node.initializer, 'max')));
}

/** The default of a field of a body or a query. */
function defaultValue(node: ts.Node): Mutation | undefined {
  if (!ts.isPropertyDeclaration(node) || !ts.canHaveDecorators(node) || !node.initializer) return undefined;
  if ((ts.getDecorators(node) ?? []).length === 0) return undefined;
  const { initializer } = node;
  if (ts.isNumericLiteral(initializer)) return replace('default', initializer, `${initializer.text}1`);
  if (initializer.kind === ts.SyntaxKind.TrueKeyword) return replace('default', initializer, 'false');
  if (initializer.kind === ts.SyntaxKind.FalseKeyword) return replace('default', initializer, 'true');
  return undefined;
}

/** Another reason, with another status. */
function reason(node: ts.Node): Mutation | undefined {
  if (!ts.isNewExpression(node) || node.expression.getText() !== 'AppError') return undefined;
  const given = node.arguments?.[0];
  if (!given || !ts.isStringLiteral(given)) return undefined;
  return replace(
    'error',
    given,
    given.text === 'PRECONDITION_FAILED' ? `'FORBIDDEN'` : `'PRECONDITION_FAILED'`,
  );
}

/** `await this.outbox.publish(…)`, as a statement of its own. */
function event(node: ts.Node): Mutation | undefined {
  if (!ts.isExpressionStatement(node)) return undefined;
  return /^await this\.#?outbox\.publish\(/.test(node.getText()) ? replace('event', node, ';') : undefined;
}

/** The name of a header that an answer has. */
function header(node: ts.Node): Mutation | undefined {
  if (!ts.isStringLiteral(node) || !/^[A-Z][A-Za-z]+(?:-[A-Z][A-Za-z]+)+$/.test(node.text)) return undefined;
  return ts.isArrayLiteralExpression(node.parent) || ts.isCallExpression(node.parent)
    ? replace('header', node, `'X-Mutant'`)
    : undefined;
}

function isProperty(node: ts.Node | undefined, name: string): node is ts.PropertyAssignment {
  return (
    node !== undefined &&
    ts.isPropertyAssignment(node) &&
    ts.isIdentifier(node.name) &&
    node.name.text === name
  );
}

function isInDecorator(node: ts.Node): boolean {
  return ts.isDecorator(node) || (!ts.isClassLike(node) && node.parent && isInDecorator(node.parent));
}
