import { describe, expect, it } from '@jest/globals';
import { frameNamer, sourcesIn } from './bundle-sources.ts';
import { flameGraphPage } from './flame-graph.ts';
import { foldProfile, topFrames } from './folded-profile.ts';

const node = (id: number, functionName: string, children: number[] = []) => ({
  id,
  children,
  callFrame: { functionName, url: '', lineNumber: 0 },
});

/** Both handlers call `seal`, and `create` has two nodes. */
const profile = {
  nodes: [
    node(1, '(root)', [2, 3, 4, 8]),
    node(2, '(idle)'),
    node(3, 'create', [5]),
    node(4, 'create', [6]),
    node(5, 'seal'),
    node(6, 'seal'),
    node(7, 'seal'),
    node(8, 'burn', [7]),
  ],
  samples: [3, 5, 2, 6, 7, 8],
  timeDeltas: [0, 10, 20, 1_000, 30, 40],
};

describe('A folded profile', () => {
  const { root, idle } = foldProfile(profile, ({ functionName }) => functionName);

  it('merges nodes with the same name and callers', () => {
    expect([...root.children.keys()]).toEqual(['create', 'burn']);
    expect(root.children.get('create')).toMatchObject({ self: 10, total: 60 });
  });

  it('keeps idle time apart', () => {
    expect([idle, root.total]).toEqual([1_000, 140]);
  });

  it('adds up the time of a frame over all its callers', () => {
    expect(topFrames(root, 2)).toEqual([
      { name: 'seal', share: 90 / 140 },
      { name: 'burn', share: 40 / 140 },
    ]);
  });

  it('is drawn without markup from its names', () => {
    const named = foldProfile(profile, ({ functionName }) => `<i>${functionName}`);
    const page = flameGraphPage('sparks', { create: named });
    expect(page).toContain('&#60;i&#62;seal: 35.71 %, itself 35.71 %');
    expect(page).not.toContain('<i>');
  });
});

describe('The name of a frame', () => {
  it('has the source of the line by the comments of the bundle', () => {
    const sourceOf = sourcesIn(
      'a\n// libs/crypto/src/seal.ts\nb\n// a comment\nc\n// node_modules/pg/lib/x.js\nd',
    );
    expect([1, 3, 5, 7].map(sourceOf)).toEqual([
      undefined,
      'libs/crypto/src/seal.ts',
      'libs/crypto/src/seal.ts',
      'node_modules/pg/lib/x.js',
    ]);
  });

  it('has no source for native code', () => {
    expect(frameNamer()({ functionName: '', url: '', lineNumber: -1 })).toBe('(anonymous)');
  });
});
