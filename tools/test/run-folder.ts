import { mkdtempSync, readFileSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning, processStart, reapChildren } from '../stack/servers/children.ts';

interface Owner {
  readonly pid: number;
  readonly startedAt: string;
}

const PREFIX = 'vaultsvc-test-';

/** Where Linux keeps files in memory. */
const MEMORY = '/dev/shm';

/** `f_type` of such a file system (statfs(2)). */
const TMPFS_MAGIC = 0x01_02_19_94;

/** More than the servers of a run need there. */
const ROOM_BYTES = 4 * 2 ** 30;

/**
 * Where runs have their folders: in memory if there is room, else among the temporary files. Specs copy and drop a thousand databases,
 * and ext4, before it makes a file, looks at each one of its group that was removed in the last minutes.
 */
export function placeOfRuns(memory = MEMORY): string {
  return hasRoom(memory) ? memory : tmpdir();
}

function hasRoom(folder: string): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(folder);
    return type === TMPFS_MAGIC && Math.min(bavail * bsize, process.availableMemory()) >= ROOM_BYTES;
  } catch {
    return false; // not Linux, or the folder is missing
  }
}

/** A new folder of this process, for the servers of a run. */
export function newRunFolder(place = placeOfRuns()): string {
  const folder = mkdtempSync(join(place, PREFIX));
  const owner: Owner = { pid: process.pid, startedAt: processStart(process.pid) ?? '' };
  writeFileSync(join(folder, 'owner.json'), JSON.stringify(owner));
  return folder;
}

/** Whether this process has made the folder. */
export function isOwnRun(folder: string): boolean {
  return ownerOfRun(folder)?.pid === process.pid;
}

/** Time for servers to stop: a killed one may still write into folders that are being removed. */
const PATIENCE_MS = 10_000;

/** Stops every server that has its data in the folder of a run, and removes it. */
export async function removeRun(folder: string): Promise<void> {
  await reapChildren(join(folder, 'children'), PATIENCE_MS);
  rmSync(folder, { recursive: true, force: true });
}

/** Cleans up after runs that were killed. */
export async function reapAbandonedRuns(places: readonly string[] = [MEMORY, tmpdir()]): Promise<void> {
  await Promise.all(places.flatMap(runsIn).filter(isAbandoned).map(removeRun));
}

function runsIn(place: string): string[] {
  try {
    return readdirSync(place)
      .filter((name) => name.startsWith(PREFIX))
      .map((name) => join(place, name));
  } catch {
    return []; // a machine without this place
  }
}

function isAbandoned(folder: string): boolean {
  const owner = ownerOfRun(folder);
  return owner !== undefined && !isRunning(owner);
}

/** Undefined for a run that another process is creating, or that another user owns. */
function ownerOfRun(folder: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'owner.json'), 'utf8'));
  } catch {
    return undefined;
  }
}
