import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from '../stack/settings.ts';

/** A block of commands of `deploy/restore.md`. */
export interface Block {
  /** The number of its step; 0 for the dump, which is no step. */
  step: number;
  commands: string;
}

const page = join(workspace, 'deploy/restore.md');

/** The text of the runbook. */
export const readRunbook = () => readFileSync(page, 'utf8');

/**
 * The blocks of commands in the order of the page, as they are written.
 * @param text of the page
 */
export function blocksOf(text: string = readRunbook()): Block[] {
  const blocks: Block[] = [];
  let step = 0;
  let open: string[] | undefined;
  for (const line of text.split('\n')) {
    if (open === undefined) {
      step = Number(/^(\d+)\. /.exec(line)?.[1] ?? step);
      if (line.trim() === '```sh') open = [];
    } else if (line.trim() === '```') {
      blocks.push({ step, commands: open.join('\n') });
      open = undefined;
    } else open.push(line.replace(/^ {3}/, ''));
  }
  return blocks;
}

/**
 * The variables that the page says its blocks read.
 * @param text of the page
 */
export function variablesOf(text: string = readRunbook()): string[] {
  const cells = [...text.matchAll(/^\| (`[A-Z_]+`.*?) *\|/gm)].map(([, cell]) => cell ?? '');
  return cells.flatMap((cell) => [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name ?? ''));
}
