import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ExportProblem, type TileReader } from '@vaultsvc/transparency';

const LINE_CHARACTERS_MAX = 1_048_576;

/** The lines of a file, or of the standard input for `-`. @throws ExportProblem for a line of more than 1 MiB */
export function linesOf(path: string): AsyncGenerator<string, void, void> {
  return splitLines(path === '-' ? process.stdin : createReadStream(path));
}

/** Node's readline also splits at U+2028, which JSON texts may contain. */
export async function* splitLines(stream: Readable): AsyncGenerator<string, void, void> {
  stream.setEncoding('utf8');
  let rest = '';
  for await (const chunk of stream as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LINE_CHARACTERS_MAX)
      throw new ExportProblem('malformed', 'a line is longer than 1 MiB');
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** Reads the files of a log from a folder. */
export function tilesIn(folder: string): TileReader {
  return (path) =>
    readFile(join(folder, path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
}
