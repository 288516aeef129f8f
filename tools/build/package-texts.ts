import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PublishedLib } from './package-manifest.ts';

const workspace = fileURLToPath(new URL('../..', import.meta.url));

/** The files of these names, which both packages have. */
export const packageTexts: readonly string[] = ['README.md', 'CHANGELOG.md', 'LICENSE'];

/** Writes the texts of a package: its own README, the licence and the changelog. */
export async function writePackageTexts(lib: PublishedLib, outdir: string): Promise<void> {
  await copyFile(join(workspace, `libs/${lib}/README.md`), join(outdir, 'README.md'));
  await copyFile(join(workspace, 'LICENSE'), join(outdir, 'LICENSE'));
  const changelog = await readFile(join(workspace, 'CHANGELOG.md'), 'utf8');
  await writeFile(join(outdir, 'CHANGELOG.md'), withoutRelativeLinks(changelog));
}

/** The text with the labels of links to pages that a package does not have. */
function withoutRelativeLinks(markdown: string) {
  return markdown.replaceAll(/(?<!!)\[([^\]]+)\]\((?!https?:)[^)]+\)/g, '$1');
}
