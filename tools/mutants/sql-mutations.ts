import ts from 'typescript';
import type { Kind, Mutation } from './site.ts';

/** The keywords that end a condition outside of parentheses. */
const ends =
  /\b(?:AND|OR|RETURNING|ORDER|GROUP|LIMIT|FOR|ON|UNION|HAVING|WHEN|THEN|ELSE|END|WHERE|SELECT)\b/gi;

/** Columns of one meaning: where one stands for another, PostgreSQL notices nothing. */
const columnPairs = [
  ['created_at', 'expires_at'],
  ['created_at', 'updated_at'],
  ['account_id', 'owner_id'],
  ['size_bytes', 'stored_bytes'],
  ['used', 'limit'],
  ['starts_at', 'ends_at'],
] as const;

/** The mutations of the text of a statement: a condition less, another column, another time, no event. */
export function sqlMutations(node: ts.Node): readonly Mutation[] {
  const sql = sqlOf(node);
  if (sql === undefined) return [];
  const { text, offset } = sql;
  const at = (kind: Kind, start: number, end: number, replacement: string): Mutation => ({
    kind,
    start: offset + start,
    end: offset + end,
    replacement,
  });
  return [
    ...conditionsOf(text).map(({ start, end }) =>
      at('where', start, end, `(${text.slice(start, end)} OR TRUE)`),
    ),
    ...swappedColumns(text).map(({ start, end, other }) => at('column', start, end, other)),
    ...storedTimes(text).map(({ start, end }) => at('time', start, end, 'now()')),
    ...eventsOf(text).map(({ end }) => at('event', end, end, ' WHERE FALSE')),
  ];
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** The second argument of `statement(name, sql)`, as it stands in the file. */
function sqlOf(node: ts.Node): { text: string; offset: number } | undefined {
  if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return undefined;
  const [, sql] = node.arguments;
  if (node.expression.text !== 'statement' || sql === undefined) return undefined;
  if (!ts.isStringLiteralLike(sql) && !ts.isTemplateExpression(sql)) return undefined;
  const quoted = sql.getText();
  return { text: quoted, offset: sql.getStart() };
}

/** What stands behind each AND outside of BETWEEN: no parameter is lost, so that PostgreSQL still knows its type. */
function conditionsOf(text: string): Range[] {
  return [...text.matchAll(/\bAND\s+/g)].flatMap((match) => {
    const start = match.index + match[0].length;
    const isRange = /\bBETWEEN\s+\S+\s*$/i.test(text.slice(0, match.index));
    const end = start + text.slice(start, endOfCondition(text, start)).trimEnd().length;
    return isRange || end - start < 3 || text.slice(start, end).includes('${') ? [] : [{ start, end }];
  });
}

function endOfCondition(text: string, start: number): number {
  let depth = 0;
  const keywords = new Set([...text.slice(start).matchAll(ends)].map(({ index }) => start + index));
  for (let i = start; i < text.length; i++) {
    if (text[i] === '(') depth++;
    else if (text[i] === ')') depth--;
    if (depth < 0 || text[i] === ';' || text[i] === '`') return i;
    if (depth === 0 && (text[i] === ',' || (i > start && keywords.has(i)))) return i;
  }
  return text.length - 1;
}

function swappedColumns(text: string): (Range & { other: string })[] {
  return columnPairs.flatMap(([one, other]) => {
    const [first] = text.matchAll(new RegExp(String.raw`(?<=\.)${one}\b`, 'g'));
    const hasOther = new RegExp(String.raw`\b${other}\b`).test(text);
    return first && hasOther ? [{ start: first.index, end: first.index + one.length, other }] : [];
  });
}

/** A time that an earlier statement stored, where it is read. */
function storedTimes(text: string): Range[] {
  return [...text.matchAll(/\b[a-z_]+\.(?:created|occurred|opened|read|expires|revoked)_at\b/g)]
    .filter(({ index }) => !/\b(?:BY|SET|INTO)\s+$/.test(text.slice(0, index)))
    .slice(0, 2)
    .map(({ 0: column, index }) => ({ start: index, end: index + column.length }));
}

/** The end of `INSERT INTO outbox … SELECT … FROM source`. */
function eventsOf(text: string): Range[] {
  return [...text.matchAll(/INSERT INTO outbox\b[^;`]*?\bFROM\s+[a-z_]+(?=\s*(?:\)|RETURNING))/g)].map(
    ({ 0: insert, index }) => ({ start: index, end: index + insert.length }),
  );
}
