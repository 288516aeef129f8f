import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from '../stack/settings.ts';
import { requirements } from './requirements.ts';
import { parseText, sourceFiles } from './sources.ts';
import { titlesIn } from './titles.ts';

type Test = { path: string; title: string };

/** The tests of requirements, by id; an id without a test is absent. */
export function testsOf(ids: readonly string[]): Map<string, Test[]> {
  const tests: Map<string, Test[]> = new Map();
  const wanted = new Set(ids);
  for (const path of sourceFiles((name) => /\.(spec|e2e)\.ts$/.test(name)))
    for (const test of testsIn(path, ids))
      for (const id of test.cited.filter((cited) => wanted.has(cited)))
        tests.set(id, [...(tests.get(id) ?? []), { path, title: test.title }]);
  return tests;
}

/** @param ids a file that contains none of them is not parsed, which takes most of the time */
function testsIn(path: string, ids: readonly string[]) {
  const text = readFileSync(join(workspace, path), 'utf8');
  if (!ids.some((id) => text.includes(id))) return [];
  return titlesIn(parseText(path, text)).map(({ ids: cited, groups, guarantee }) => ({
    cited,
    title: printable([...groups, guarantee].join(' › ')),
  }));
}

/**
 * What `npm run docs -- SPK-32` prints.
 * @throws Error for ids that docs/requirements.md does not have
 */
export function describeTests(ids: readonly string[]): string {
  const sentences = requirements();
  const unknown = ids.filter((id) => !sentences.has(id));
  if (unknown.length > 0) throw new Error(`Not in docs/requirements.md: ${unknown.join(', ')}`);
  const tests = testsOf(ids);
  return ids.map((id) => `${id}: ${sentences.get(id)}\n\n${list(tests.get(id) ?? [])}`).join('\n');
}

/** The titles of each file under its path. */
function list(tests: readonly Test[]) {
  if (tests.length === 0) return '  No test cites it.\n';
  const files: Map<string, Set<string>> = new Map();
  for (const { path, title } of tests) files.set(path, (files.get(path) ?? new Set()).add(title));
  return [...files]
    .map(([path, titles]) => `  ${path}\n${[...titles].map((title) => `    - ${title}\n`).join('')}`)
    .join('');
}

/**
 * Ids of arguments: `SPK-32`, and `TRAP 14` with a space, quoted or not, or with a hyphen.
 * @throws Error for anything else
 */
export function idsIn(args: readonly string[]): string[] {
  const text = args.join(' ');
  const other = text.replaceAll(idOfCommandLine, '').trim();
  if (other) throw new Error(`Not an id of a requirement: ${other}`);
  return [...text.matchAll(idOfCommandLine)].map(([, area = '', number]) =>
    area.toUpperCase() === 'TRAP' ? `TRAP ${number}` : `${area.toUpperCase()}-${number}`,
  );
}

const idOfCommandLine = /\b([a-z]{3,5})[- ](\d+)\b,?/gi;

/** @param text as one line of a terminal */
export function printable(text: string) {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(
      /[\p{Cc}\p{Cs}]/gu,
      (character) => `U+${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}
