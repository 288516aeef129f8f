import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import ts from 'typescript';
import { injectedTokens, providersOf } from './injections.ts';

/**
 * The files of a package that a file reaches, itself included, sorted.
 * @returns absolute paths
 */
export function closureOf(file: string): string[] {
  const start = resolve(file);
  const providers = packageProviders(start);
  const reached = new Set([start]);
  for (const path of reached) for (const next of reachedBy(path, providers)) reached.add(next);
  return [...reached].sort();
}

function reachedBy(path: string, providers: ReadonlyMap<string, readonly string[]>): string[] {
  const source = parse(path);
  const injected = injectedTokens(source).flatMap((token) => providers.get(token) ?? []);
  return [...importsOf(source, path), ...injected];
}

/** The files that a source imports from its own package, statically or dynamically, as values or types. */
export function importsOf(source: ts.SourceFile, path: string): string[] {
  const files: string[] = [];
  const visit = (node: ts.Node) => {
    const specifier = specifierOf(node);
    const file = specifier?.startsWith('.') ? resolve(dirname(path), specifier.replace(/\.js$/, '.ts')) : '';
    if (file !== '' && existsSync(file)) files.push(file);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return files;
}

function specifierOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return textOf(node.moduleSpecifier);
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return textOf(node.argument.literal);
  const isDynamic = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isDynamic ? textOf(node.arguments[0]) : undefined;
}

function textOf(node: ts.Node | undefined) {
  return node && ts.isStringLiteralLike(node) ? node.text : undefined;
}

/**
 * The files of the classes that the package's providers name, by the token they are provided for.
 * @param file in the package
 */
function packageProviders(file: string): ReadonlyMap<string, readonly string[]> {
  const all: Map<string, string[]> = new Map();
  for (const path of sourcesOf(file)) {
    const source = parse(path);
    for (const { token, names } of providersOf(source)) {
      const files = names.flatMap((name) => importedFrom(source, path, name) ?? []);
      all.set(token, [...(all.get(token) ?? []), ...files]);
    }
  }
  return all;
}

/** @returns the file of the package that the name is imported from */
function importedFrom(source: ts.SourceFile, path: string, name: string): string | undefined {
  const declaration = source.statements.find(
    (one) =>
      ts.isImportDeclaration(one) && new RegExp(`\\b${name}\\b`).test(one.importClause?.getText() ?? ''),
  );
  return declaration && importsOf(ts.factory.updateSourceFile(source, [declaration]), path)[0];
}

/** The product files of the package that holds a file: those below its `src`, without specs and test code. */
function sourcesOf(file: string) {
  const end = file.lastIndexOf(`${sep}src${sep}`);
  if (end < 0) return [file];
  const src = file.slice(0, end + 4);
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts') && !name.startsWith(`testing${sep}`))
    .map((name) => join(src, name));
}

function parse(path: string) {
  return ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
}
