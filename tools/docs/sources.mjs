import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { workspace } from '../stack/settings.ts';

const skipped = new Set(['node_modules', 'dist', '.nx', '.local', '.cache']);

/**
 * The TypeScript files of apps, libs and tools, in the order of their paths.
 * @param {(path: string) => boolean} isIncluded for paths relative to the workspace, with slashes
 * @returns {string[]}
 */
export function sourceFiles(isIncluded) {
  return ['apps', 'libs', 'tools']
    .flatMap(filesUnder)
    .filter((path) => path.endsWith('.ts') && isIncluded(path));
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function filesUnder(folder) {
  return readdirSync(join(workspace, folder), { withFileTypes: true })
    .filter(({ name }) => !skipped.has(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) =>
      entry.isDirectory() ? filesUnder(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`],
    );
}

/**
 * @param {string} path relative to the workspace
 * @returns {ts.SourceFile}
 */
export function parse(path) {
  return parseText(path, readFileSync(join(workspace, path), 'utf8'));
}

/**
 * @param {string} path
 * @param {string} text
 */
export function parseText(path, text) {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
}

/**
 * The text of a literal, of literals joined with `+`, and of a template with `…` where a value goes.
 * @param {ts.Node | undefined} node
 * @returns {string | undefined} nothing for anything else
 */
export function textOf(node) {
  if (!node) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined || right === undefined ? undefined : left + right;
}

/** @param {string} text as a cell of a Markdown table */
export function cell(text) {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');
}
