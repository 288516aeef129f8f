import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { CompressedDocument } from '../pages/compressed-document.js';

/** A file of the web application. */
export interface WebFile {
  readonly contentType: string;
  readonly content: CompressedDocument;
  /** Names the content in entity tags. */
  readonly hash: string;
}

/** The page of all paths of the application. */
export const WEB_INDEX = 'index.html';

/** Types of the files that browsers load; others in the folder are for the build. */
const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** @param configured the setting WEB_FOLDER */
export function webFolderOf(configured: string): string {
  return configured || join(dirname(process.argv[1] ?? ''), '../../web/dist');
}

/**
 * Reads the files of a build, as it has compressed them (tools/build/web.ts), by their names.
 * @throws ENOENT when there is no build
 */
export async function readWebFiles(folder: string): Promise<ReadonlyMap<string, WebFile>> {
  const names = (await readdir(folder)).filter((name) => extname(name) in contentTypes);
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readWebFile(folder, name)] as const)),
  );
}

async function readWebFile(folder: string, name: string): Promise<WebFile> {
  const path = join(folder, name);
  const [brotli, gzipped] = await Promise.all([readFile(`${path}.br`), readFile(`${path}.gz`)]);
  return {
    contentType: contentTypes[extname(name)] ?? '',
    content: CompressedDocument.ofCompressed(brotli, gzipped),
    hash: createHash('sha256').update(brotli).digest('base64url'),
  };
}
