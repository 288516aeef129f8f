// Processor time of other processes, from /proc (Linux).
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** By name. */
export type Pids = Readonly<Record<string, number>>;

interface Process {
  pid: number;
  parent: number;
}

/** Bounds the repeated readings where processes keep starting and exiting. */
const READINGS_MAX = 5;

/**
 * Microseconds that each named process has used so far, with its children such as PostgreSQL's backends. The time of a
 * child that exited is its parent's. A child that exits during the reading would be missed or counted twice: then it is
 * repeated.
 */
export function cpuMicroseconds(pids: Pids): Record<string, number> {
  let reading = readOnce(pids);
  for (let i = 1; i < READINGS_MAX && reading.members !== membersOf(pids).join(); i++)
    reading = readOnce(pids);
  return reading.used;
}

function readOnce(pids: Pids) {
  const table = processTable();
  const families = Object.entries(pids).map(([name, pid]) => [name, family(table, pid)] as const);
  return {
    members: families.flatMap(([, members]) => members).join(),
    used: Object.fromEntries(
      families.map(([name, members]) => [name, members.reduce((sum, member) => sum + usedBy(member), 0)]),
    ),
  };
}

function membersOf(pids: Pids) {
  const table = processTable();
  return Object.values(pids).flatMap((pid) => family(table, pid));
}

/** The difference of two readings, divided by the number of requests. */
export function perRequest(
  before: Record<string, number>,
  after: Record<string, number>,
  requests: number,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(after).map(([name, used]) => [name, (used - (before[name] ?? Number.NaN)) / requests]),
  );
}

function processTable(): Process[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    const stat = readStat(pid);
    return stat ? [{ pid: Number(pid), parent: Number(stat[1]) }] : [];
  });
}

function family(table: Process[], root: number): number[] {
  const children = table.filter(({ parent }) => parent === root).flatMap(({ pid }) => family(table, pid));
  return [root, ...children];
}

/** utime and stime of the process and of its exited children (fields 14 to 17 of proc(5)). */
function usedBy(pid: number) {
  const stat = readStat(pid);
  if (!stat) return 0;
  const ticks = stat.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return (ticks / TICKS_PER_SECOND) * 1e6;
}

function readStat(pid: number | string) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' '); // from field 3 on: the name may contain spaces
  } catch {
    return undefined; // it exited after the listing
  }
}
