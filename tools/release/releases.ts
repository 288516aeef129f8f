import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from '../stack/settings.ts';

/** A release, in `docs/releases.json`. */
export interface Release {
  readonly version: string;
  /** 40 hexadecimal digits. */
  readonly commit: string;
  /** YYYY-MM-DD. */
  readonly date: string;
}

const path = join(workspace, 'docs/releases.json');

/** All releases, the oldest first. */
export function readReleases(): readonly Release[] {
  return JSON.parse(readFileSync(path, 'utf8')) as Release[];
}

export function recordRelease(release: Release): void {
  writeFileSync(path, `${JSON.stringify([...readReleases(), release], null, 2)}\n`);
}

/** Whether this workspace is a clone; an archive of the sources has no history. */
export function hasHistory(): boolean {
  return existsSync(join(workspace, '.git')) && git('rev-parse', '--is-shallow-repository') === 'false';
}

/** @returns whether the history has the commit */
export function isCommit(id: string): boolean {
  return spawnSync('git', ['cat-file', '-e', `${id}^{commit}`], { cwd: workspace }).status === 0;
}

/**
 * @returns the output without the line break at its end
 * @throws with what git says
 */
export function git(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: workspace, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args[0]}: ${stderr.trim()}`);
  return stdout.trim();
}
