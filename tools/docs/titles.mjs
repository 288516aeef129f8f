import ts from 'typescript';
import { textOf } from './sources.mjs';

/** A requirement's id, as in `SPK-30` and `OPEN-51`. Standards look the same: AES-256 is not one. */
const id = /\b(?!AES|SHA|UTF|RFC|ISO)[A-Z]{2,5}-\d{2,3}\b/g;

/** Ids that lead a title are labels; those inside a sentence are part of it. */
const leadingIds = /^(?:(?!AES|SHA|UTF|RFC|ISO)[A-Z]{2,5}-\d{2,3}[\s,;:]*)+/;

/** `%s` of a table of arrays, `$name` of a table of objects. */
const placeholder = /%[sdifjopc#]|\$[a-zA-Z_][\w.]*/g;

/** @typedef {{ ids: string[], guarantee: string }} Title */

/**
 * What a spec file guarantees: the title of each test with the ids that it carries, those of the groups around it
 * included.
 * @param {ts.SourceFile} file
 * @returns {Title[]}
 */
export function titlesIn(file) {
  return collect(file, []);
}

/**
 * @param {ts.Node} node
 * @param {readonly string[]} inherited
 * @returns {Title[]}
 */
function collect(node, inherited) {
  const call = ts.isCallExpression(node) ? namedCall(node) : undefined;
  const ids = call ? [...new Set([...inherited, ...(call.title.match(id) ?? [])])] : inherited;
  /** @type {Title[]} */
  const titles = [];
  if (call?.isTest) titles.push({ ids: [...ids], guarantee: sentence(call.title) });
  node.forEachChild((child) => void titles.push(...collect(child, ids)));
  return titles;
}

/**
 * @param {ts.CallExpression} node
 * @returns {{ isTest: boolean, title: string } | undefined} nothing for a call that is no test and no group
 */
function namedCall(node) {
  const name = rootOf(node.expression);
  const title = textOf(node.arguments[0]);
  if (title === undefined || !/^(it|test|describe)$/.test(name)) return undefined;
  return { isTest: name !== 'describe', title };
}

/**
 * The `it` of `it`, `it.each(…)` and it.each`…`.
 * @param {ts.Expression} expression
 * @returns {string}
 */
function rootOf(expression) {
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isPropertyAccessExpression(expression) || ts.isCallExpression(expression))
    return rootOf(expression.expression);
  if (ts.isTaggedTemplateExpression(expression)) return rootOf(expression.tag);
  return '';
}

/** @param {string} title */
function sentence(title) {
  const text = title.replace(leadingIds, '').replace(placeholder, '…').trim();
  return text || title;
}
