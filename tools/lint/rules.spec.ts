import { beforeAll, describe, expect, it } from '@jest/globals';
import { faultsInModules, faultsInScripts, faultsInTypeScript } from './faults.ts';
import { lintTexts } from './lint-texts.ts';
import type { Finding } from './lint-texts.ts';
import { everywhere, inScripts, inTypeScript } from './rule-sets.ts';

interface Fault {
  readonly rule: string;
  readonly path: string;
  readonly text: string;
}

const faultsOf = (path: string, texts: Readonly<Record<string, string>>): Fault[] =>
  Object.entries(texts).map(([rule, text]) => ({ rule, path, text }));

const faults = [
  ...faultsOf('apps/sparks/src/fixture.ts', faultsInTypeScript),
  ...faultsOf('tools/fixture.cjs', faultsInScripts),
  ...faultsOf('tools/fixture.mjs', faultsInModules),
];

const useless: Fault[] = ['vaultsvc/syntax', 'no-empty', 'typescript/no-floating-promises'].map((rule) => ({
  rule,
  path: 'apps/sparks/src/fixture.ts',
  text: `export const own = 1; // oxlint-disable-line ${rule}`,
}));

const used: Fault[] = [
  ['vaultsvc/syntax', 'export const own = process.env.HOME;'],
  ['no-control-regex', 'export const own = /\\x1f/;'],
  ['typescript/no-floating-promises', 'Promise.resolve();'],
].map(([rule = '', text = '']) => ({
  rule,
  path: 'apps/sparks/src/fixture.ts',
  text: `${text} // oxlint-disable-line ${rule}`,
}));

const texts = [...faults, ...useless, ...used];
let findings: Finding[][];
const findingsOf = (fault: Fault) => findings[texts.indexOf(fault)] ?? [];

beforeAll(() => {
  findings = lintTexts(texts, { hasTypes: true });
});

describe('The linter follows', () => {
  it.each(faults)('$rule', (fault) => {
    expect(findingsOf(fault).map(({ rule }) => rule)).toContain(fault.rule);
  });

  it('no rule without a fault above', () => {
    const rules = Object.keys({ ...everywhere, ...inScripts, ...inTypeScript });
    expect(rules.filter((rule) => !faults.some((fault) => fault.rule === rule))).toEqual([]);
  });
});

describe('A comment that disables', () => {
  it.each(used)('$rule is followed', (fault) => {
    expect(findingsOf(fault)).toEqual([]);
  });

  it.each(useless)('$rule is refused where there is no fault', (fault) => {
    expect(findingsOf(fault)).toMatchObject([{ message: expect.stringMatching(/^Unused oxlint-disable/) }]);
  });
});
