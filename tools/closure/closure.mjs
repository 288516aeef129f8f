import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import ts from 'typescript';
import { injectedTokens, providersOf } from './injections.mjs';

/**
 * The files of a package that a file reaches, itself included, sorted.
 * @param {string} file
 * @returns {string[]} absolute paths
 */
export function closureOf(file) {
  const start = resolve(file);
  const providers = packageProviders(start);
  const reached = new Set([start]);
  for (const path of reached) for (const next of reachedBy(path, providers)) reached.add(next);
  return [...reached].sort();
}

/**
 * @param {string} path
 * @param {ReadonlyMap<string, readonly string[]>} providers
 * @returns {string[]}
 */
function reachedBy(path, providers) {
  const source = parse(path);
  const injected = injectedTokens(source).flatMap((token) => providers.get(token) ?? []);
  return [...importsOf(source, path), ...injected];
}

/**
 * The files that a source imports from its own package, statically or dynamically, as values or types.
 * @param {ts.SourceFile} source
 * @param {string} path
 * @returns {string[]}
 */
export function importsOf(source, path) {
  /** @type {string[]} */
  const files = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    const specifier = specifierOf(node);
    const file = specifier?.startsWith('.') ? resolve(dirname(path), specifier.replace(/\.js$/, '.ts')) : '';
    if (file !== '' && existsSync(file)) files.push(file);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return files;
}

/**
 * @param {ts.Node} node
 * @returns {string | undefined}
 */
function specifierOf(node) {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return textOf(node.moduleSpecifier);
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return textOf(node.argument.literal);
  const isDynamic = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isDynamic ? textOf(node.arguments[0]) : undefined;
}

/** @param {ts.Node | undefined} node */
function textOf(node) {
  return node && ts.isStringLiteralLike(node) ? node.text : undefined;
}

/**
 * The files of the classes that the package's providers name, by the token they are provided for.
 * @param {string} file in the package
 * @returns {ReadonlyMap<string, readonly string[]>}
 */
function packageProviders(file) {
  /** @type {Map<string, string[]>} */
  const all = new Map();
  for (const path of sourcesOf(file)) {
    const source = parse(path);
    for (const { token, names } of providersOf(source)) {
      const files = names.flatMap((name) => importedFrom(source, path, name) ?? []);
      all.set(token, [...(all.get(token) ?? []), ...files]);
    }
  }
  return all;
}

/**
 * @param {ts.SourceFile} source
 * @param {string} path
 * @param {string} name
 * @returns {string | undefined} the file of the package that the name is imported from
 */
function importedFrom(source, path, name) {
  const declaration = source.statements.find(
    (one) =>
      ts.isImportDeclaration(one) && new RegExp(`\\b${name}\\b`).test(one.importClause?.getText() ?? ''),
  );
  return declaration && importsOf(ts.factory.updateSourceFile(source, [declaration]), path)[0];
}

/**
 * The product files of the package that holds a file: those below its `src`, without specs and test code.
 * @param {string} file
 */
function sourcesOf(file) {
  const end = file.lastIndexOf(`${sep}src${sep}`);
  if (end < 0) return [file];
  const src = file.slice(0, end + 4);
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts') && !name.startsWith(`testing${sep}`))
    .map((name) => join(src, name));
}

/** @param {string} path */
function parse(path) {
  return ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
}
