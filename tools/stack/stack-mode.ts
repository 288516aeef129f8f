// Whether the data of a stack was made with --clusters. Data stays with the servers that it was made on: without clusters
// nobody would find accounts of the second shard.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, writePrivateJson } from './private-files.ts';
import { readSettings, stackPaths, type Settings } from './settings.ts';

interface StackMode {
  hasClusters: boolean;
}

type Paths = Pick<Settings['paths'], 'postgres' | 'mode'>;

/** Records the mode of this start. Call it before the first server creates data. */
export function recordMode({ paths, clusters }: Pick<Settings, 'paths' | 'clusters'>): void {
  const mode: StackMode = { hasClusters: clusters !== undefined };
  writePrivateJson(paths.mode, mode);
}

/**
 * The mode of the data. Earlier releases recorded none, and had no clusters.
 * @returns undefined without data, also after a start that was interrupted before it had any
 */
export function modeOfData(paths: Paths): StackMode | undefined {
  // The first file of a database that exists; `postgres` may be a link.
  if (!existsSync(join(paths.postgres, 'PG_VERSION'))) return undefined;
  return readJson<StackMode>(paths.mode) ?? { hasClusters: false };
}

/** @throws when the data of this stack was made with the other choice of `--clusters` */
export function assertSameMode({ paths, clusters }: Pick<Settings, 'paths' | 'clusters'>): void {
  const mode = modeOfData(paths);
  if (!mode || mode.hasClusters === (clusters !== undefined)) return;
  const made = mode.hasClusters ? 'with' : 'without';
  throw new Error(
    `The data in ${paths.dir} was made ${made} --clusters. Start ${made} it, or in another folder (VAULTSVC_DIR), or delete the data with --fresh.`,
  );
}

/** The settings of an existing stack, for tools that are not started with its options. */
export function settingsOfStack(env: NodeJS.ProcessEnv): Settings {
  const isClustered = modeOfData(stackPaths(env))?.hasClusters === true;
  return readSettings(env, isClustered ? ['--clusters'] : []);
}
