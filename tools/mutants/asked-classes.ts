import ts from 'typescript';
import { parse, sourceFiles } from '../docs/sources.ts';

const CONTRACTS = 'libs/contracts/src/';

/** The members of an operation that hold what a caller sends. */
const asked = new Set(['params', 'query', 'body']);

/**
 * The names of the classes of contracts that callers of the public API send, with those that are nested in them. A bound of
 * an answer, or of a call between services, is no promise to anybody: values do not come near it. Nor is that of an id in a
 * path which an operation answers as an unknown one.
 */
export function askedClasses(): ReadonlySet<string> {
  const uses = new Map<string, readonly string[]>();
  const queue: string[] = [];
  for (const file of contracts()) {
    each(file, (node) => {
      if (ts.isClassDeclaration(node) && node.name) uses.set(node.name.text, identifiersIn(node));
      if (isPublicOperation(node)) queue.push(...askedOf(node).flatMap(identifiersIn));
    });
  }
  const found = new Set<string>();
  for (const name of queue) {
    if (found.has(name) || !uses.has(name)) continue;
    found.add(name);
    queue.push(...(uses.get(name) ?? []));
  }
  return found;
}

/** The constants that only classes which nobody sends name: bounds of answers as well. */
export function answerBounds(askedNames: ReadonlySet<string>): ReadonlySet<string> {
  const [answered, others] = [new Set<string>(), new Set<string>()];
  for (const file of sourceFiles((path) => /^(?:apps|libs)\//.test(path) && !path.endsWith('.spec.ts')).map(
    parse,
  ))
    each(file, (node) => {
      if (!ts.isIdentifier(node) || !/_MAX$/.test(node.text) || isNamedOnly(node.parent)) return;
      (isInContract(file) && isAnswered(node, askedNames) ? answered : others).add(node.text);
    });
  return new Set([...answered].filter((name) => !others.has(name)));
}

/** A declaration, an import or an export is no use. */
function isNamedOnly(parent: ts.Node): boolean {
  return ts.isVariableDeclaration(parent) || ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent);
}

function contracts(): ts.SourceFile[] {
  return sourceFiles((path) => path.startsWith(CONTRACTS) && !path.endsWith('.spec.ts')).map(parse);
}

function isInContract({ fileName }: ts.SourceFile): boolean {
  return fileName.startsWith(CONTRACTS);
}

/** Whether a place is within a class of contracts that nobody sends. */
export function isAnswered(node: ts.Node, askedNames: ReadonlySet<string>): boolean {
  if (ts.isClassDeclaration(node)) return node.name !== undefined && !askedNames.has(node.name.text);
  return !ts.isSourceFile(node) && isAnswered(node.parent, askedNames);
}

function isPublicOperation(node: ts.Node): node is ts.ObjectLiteralExpression {
  return (
    ts.isObjectLiteralExpression(node) && node.properties.some((property) => nameOf(property) === 'http')
  );
}

function askedOf({ properties }: ts.ObjectLiteralExpression): ts.ObjectLiteralElementLike[] {
  const hasUnknown = properties.some((property) => nameOf(property) === 'unknown');
  return properties.filter((property) => {
    const name = nameOf(property) ?? '';
    return asked.has(name) && !(hasUnknown && name === 'params');
  });
}

function nameOf({ name }: ts.ObjectLiteralElementLike): string | undefined {
  return name && ts.isIdentifier(name) ? name.text : undefined;
}

function identifiersIn(node: ts.Node): string[] {
  const names: string[] = [];
  each(node, (inner) => {
    if (ts.isIdentifier(inner)) names.push(inner.text);
  });
  return names;
}

function each(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  node.forEachChild((child) => each(child, visit));
}
