import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const workspace = fileURLToPath(new URL('../..', import.meta.url));

/** The libs that are published. */
export type PublishedLib = 'client' | 'cli';

/** The part of a `package.json` in which the two packages differ. */
type OwnPart = Readonly<Record<string, unknown>>;

interface SourceManifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly type: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The `package.json` of a lib in this workspace, which is private and points at its sources. */
export function sourceManifest(lib: PublishedLib): SourceManifest {
  return readManifest(`libs/${lib}/package.json`);
}

/** The `package.json` of a lib as it is published: what the workspace says of itself, the lib of itself, and `own`. */
export function publishedManifest(lib: PublishedLib, own: OwnPart): string {
  const { name, version, description, keywords, type } = sourceManifest(lib);
  const { license, homepage, bugs, repository, engines } = readManifest('package.json');
  const manifest = {
    name,
    version,
    description,
    keywords,
    license,
    homepage,
    bugs,
    repository: { ...repository, directory: `libs/${lib}` },
    type,
    engines,
    ...own,
    publishConfig: { access: 'public' },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

function readManifest(path: string) {
  return JSON.parse(readFileSync(join(workspace, path), 'utf8'));
}
