import { describe, expect, it } from '@jest/globals';
import { anchorsIn, brokenIn } from './citations.ts';

const known = {
  ids: new Set(['SPK-30', 'TRAP 14']),
  areas: new Set(['SPK', 'TRAP']),
  decisions: new Set([3]),
  hasPath: (path: string) => ['docs/links.md', 'docs', 'apps/sparks/src', 'README.md'].includes(path),
  anchorsOf: () => new Set(['one-time-links']),
};
const inCode = (line: string) => brokenIn('apps/sparks/src/some.ts', line, known);
const inPage = (line: string) => brokenIn('docs/some.md', line, known);

describe('The check of citations', () => {
  it.each([
    ['an unknown requirement', '// SPK-999: no such requirement', 'SPK-999'],
    ['an unknown trap', `it('TRAP 999: no such trap')`, 'TRAP 999'],
    ['an unknown decision', '// See ADR 99.', 'ADR 99'],
    ['a page that does not exist', '// (docs/nowhere.md, section 2)', 'docs/nowhere.md'],
  ])('reports %s in code', (_, line, cited) => {
    expect(inCode(line)).toEqual([expect.stringContaining(cited)]);
  });

  it.each([
    ['a requirement', '// SPK-30 and TRAP 14'],
    ['a decision', '// ADR 3'],
    ['a page', '// docs/links.md says how'],
    ['names of standards', '// AES-256, SHA-256, UTF-16'],
    ['file names that are data of a test', `name('notes.md')`],
  ])('accepts %s in code', (_, line) => {
    expect(inCode(line)).toEqual([]);
  });

  it.each([
    ['a link to a missing page', '[there](nowhere.md)', 'docs/nowhere.md'],
    ['a link to a missing anchor', '[there](links.md#two-time-links)', '#two-time-links'],
    ['a path that does not exist', 'in `apps/nowhere/src`', 'apps/nowhere/src'],
    ['an unknown requirement', 'SPK-999', 'SPK-999'],
  ])('reports %s in a page', (_, line, cited) => {
    expect(inPage(line)).toEqual([expect.stringContaining(cited)]);
  });

  it('accepts links to pages, anchors and other sites, and existing paths', () => {
    const line =
      '[a](links.md) [b](links.md#one-time-links) [c](../README.md) [d](https://e.org/f.md) `apps/sparks/src`';
    expect(inPage(line)).toEqual([]);
  });

  it('names the file and the line', () => {
    expect(inCode('// fine\n// SPK-999')).toEqual([
      `apps/sparks/src/some.ts:2: SPK-999 is not in docs/requirements.md`,
    ]);
  });

  it('derives anchors as GitHub does', () => {
    expect(anchorsIn('# One page\n## `GET` of a link, twice\n')).toEqual(
      new Set(['one-page', 'get-of-a-link-twice']),
    );
  });
});
