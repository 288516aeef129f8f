import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { workspace } from '../stack/settings.ts';

const skipped = new Set(['node_modules', 'dist', '.nx', '.local', '.cache']);

/**
 * The TypeScript files of apps, libs and tools, in the order of their paths.
 * @param isIncluded for paths relative to the workspace, with slashes
 */
export function sourceFiles(isIncluded: (path: string) => boolean): string[] {
  return ['apps', 'libs', 'tools']
    .flatMap(filesUnder)
    .filter((path) => path.endsWith('.ts') && isIncluded(path));
}

function filesUnder(folder: string): string[] {
  return readdirSync(join(workspace, folder), { withFileTypes: true })
    .filter(({ name }) => !skipped.has(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) =>
      entry.isDirectory() ? filesUnder(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`],
    );
}

/** @param path relative to the workspace */
export function parse(path: string): ts.SourceFile {
  return parseText(path, readFileSync(join(workspace, path), 'utf8'));
}

export function parseText(path: string, text: string) {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
}

/**
 * The text of a literal, of literals joined with `+`, and of a template with `…` where a value goes.
 * @returns nothing for anything else
 */
export function textOf(node: ts.Node | undefined): string | undefined {
  if (!node) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined || right === undefined ? undefined : left + right;
}

/** @param text as a cell of a Markdown table */
export function cell(text: string) {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');
}
