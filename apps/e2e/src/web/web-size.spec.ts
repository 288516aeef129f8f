import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { webFolder } from '../../../../tools/build/web.ts';

/** A line of Vite's manifest. */
interface Chunk {
  readonly file: string;
  readonly src?: string;
  readonly isDynamicEntry?: boolean;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

let folder: string;
let chunks: Readonly<Record<string, Chunk>>;
beforeAll(() => {
  folder = webFolder();
  chunks = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
});

/** The files that a chunk needs before it runs. */
function filesOf(name: string): string[] {
  const { file, css = [], imports = [] } = chunks[name] as Chunk;
  return [...new Set([file, ...css, ...imports.flatMap(filesOf)])];
}

/** As browsers receive them. */
const bytesOf = (files: Iterable<string>) =>
  [...files].reduce((sum, file) => sum + statSync(join(folder, `${file}.br`)).size, 0);

/** The application; the document of previews is another one. */
const ENTRY = 'index.html';
const SEND = 'src/places/send/send-place.tsx';

describe('the web application', () => {
  it('WEB-10: has at most 150,000 bytes on the way to the first secret', () => {
    const first = new Set(['index.html', ...filesOf(ENTRY), ...filesOf(SEND)]);
    expect(bytesOf(first)).toBeLessThanOrEqual(150_000);
  });

  it('WEB-10: has places of at most 40,000 bytes each', () => {
    const shared = new Set(filesOf(ENTRY));
    const places = Object.keys(chunks).filter((name) => name.startsWith('src/places/'));
    expect(places).toContain(SEND);
    for (const place of places) {
      const own = filesOf(place).filter((file) => !shared.has(file));
      expect({ place, fits: bytesOf(own) <= 40_000 }).toEqual({ place, fits: true });
    }
  });
});
