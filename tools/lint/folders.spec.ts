import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { cycleViolation } from './cycles.ts';
import { folders, folderViolation } from './folders.ts';

const architecture = readFileSync('docs/ARCHITECTURE.md', 'utf8');

describe('The folders of a service', () => {
  it.each(Object.entries(folders))('%s: each line is of a folder or file that exists', (service, table) => {
    const missing = Object.keys(table).filter((name) => !existsSync(`apps/${service}/src/${name}`));
    expect(missing).toEqual([]);
  });

  it.each(Object.entries(folders))('%s: ARCHITECTURE lists the same folders', (service, table) => {
    const [, section = ''] = new RegExp(`^### apps/${service}\n(.*?)(?=^##)`, 'ms').exec(architecture) ?? [];
    const listed = [...section.matchAll(/^\| `([^`]+)` +\| (.*?) +\|$/gm)].map(([, name, contents]) => [
      name,
      contents,
    ]);
    expect(listed).toEqual(Object.entries(table));
  });

  it('import those before them', () => {
    expect(
      folderViolation('apps/sparks/src/spark/read-spark.handler.ts', '../link/link-sealer.js'),
    ).toBeUndefined();
    expect(
      folderViolation('apps/sparks/src/spark/read-spark.handler.ts', './sealing/content.js'),
    ).toBeUndefined();
    expect(
      folderViolation('apps/sparks/src/sparks.module.ts', './visit/opening/open-link.handler.js'),
    ).toBeUndefined();
  });

  it('import none after them: the sentence names both', () => {
    expect(folderViolation('apps/sparks/src/link/link-sealer.ts', '../spark/spark.repository.js')).toBe(
      'link comes before spark in tools/lint/folders.ts: what needs both belongs into spark or a folder after it.',
    );
    expect(folderViolation('apps/sparks/src/spark/sealing/content.ts', '../spark.repository.js')).toMatch(
      /^spark\/sealing comes before spark /,
    );
  });

  it('do not import what composes the service', () => {
    expect(folderViolation('apps/sparks/src/link/link-sealer.ts', '../sparks.module.js')).toMatch(
      /^sparks.module.ts composes the service/,
    );
  });

  it('each have a line', () => {
    for (const [file, specifier] of [
      ['apps/sparks/src/fresh/idea.ts', '../link/link-sealer.js'],
      ['apps/sparks/src/link/link-sealer.ts', '../fresh/idea.js'],
    ] as const)
      expect(folderViolation(file, specifier)).toMatch(/^fresh\/ has no line in tools\/lint\/folders.ts/);
  });

  it('of the web application: a place imports no other one, and all import what they share', () => {
    const place = 'apps/web/src/places/sent/sent-place.tsx';
    expect(folderViolation(place, '../send/draft.js')).toBe(
      'places/sent and places/send are places of the web application: what both need belongs into ui, session, texts or api.',
    );
    for (const specifier of ['./use-sent.js', '../../ui/page.js', '../../session/session-context.js'])
      expect(folderViolation(place, specifier)).toBeUndefined();
  });

  it('leave specs and test helpers free', () => {
    for (const file of ['apps/sparks/src/link/links.spec.ts', 'apps/sparks/src/testing/links.ts'])
      expect(folderViolation(file, '../visit/opening/open-link.handler.js')).toBeUndefined();
  });
});

describe('An import that closes a cycle', () => {
  it('is refused between files of a folder, and the sentence names the cycle', () => {
    expect(cycleViolation('apps/sparks/src/link/link-sealer.ts', './invite.repository.js')).toBe(
      'This import closes the cycle link/invite.repository.ts → link/link-sealer.ts → link/invite.repository.ts: what they share belongs into a file that imports none of them.',
    );
  });

  it('is refused between folders of a lib', () => {
    expect(cycleViolation('libs/crypto/src/encoding/fixture.ts', '../tokens/index.js')).toMatch(
      /^This import closes the cycle tokens → encoding → tokens: /,
    );
  });

  it('is refused between test helpers', () => {
    expect(cycleViolation('libs/testing/src/waiting/fixture.ts', '../fixtures/index.js')).toMatch(/cycle/);
  });

  it('is free for specs', () => {
    expect(cycleViolation('apps/sparks/src/link/links.spec.ts', './link.repository.js')).toBeUndefined();
  });
});
