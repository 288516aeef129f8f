import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { portsInUse } from './port-labels.ts';
import { isPortFree } from './servers/ports.ts';
import type { Settings } from './settings.ts';

/** @throws with the first port of the stack that is in use, its process, and a command with other ports */
export async function assertPortsFree(settings: Pick<Settings, 'ports' | 'clusters'>) {
  for (const [use, port] of Object.entries(portsInUse(settings))) {
    if (await isPortFree(port)) continue;
    const owner = portOwner(port) ?? 'another process';
    const command = `VAULTSVC_PORT=${suggestedBasePort(port)} npm start${settings.clusters ? ' -- --clusters' : ''}`;
    throw new Error(
      `Port ${port} (${use}) is in use by ${owner}. Stop it, or choose other ports: ${command}`,
    );
  }
}

function suggestedBasePort(port: number) {
  return port < 60_000 ? Math.ceil((port + 1000) / 100) * 100 : 20_000;
}

/** @returns name and pid of the process that listens on the port, if this user may see it */
export function portOwner(port: number): string | undefined {
  try {
    return process.platform === 'linux' ? ownerFromProc(port) : ownerFromLsof(port);
  } catch {
    return undefined;
  }
}

function ownerFromProc(port: number) {
  const socket = ['tcp', 'tcp6'].map((table) => listenerInode(table, port)).find(Boolean);
  const pid =
    socket && readdirSync('/proc').find((name) => /^\d+$/.test(name) && holds(name, `socket:[${socket}]`));
  return pid && `${readFileSync(`/proc/${pid}/comm`, 'utf8').trim()} (pid ${pid})`;
}

/** proc(5), /proc/net/tcp: local address in field 1 with a hexadecimal port, state 0A is LISTEN, inode in field 9. */
function listenerInode(table: string, port: number) {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = readFileSync(`/proc/net/${table}`, 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/));
  return rows.find((fields) => fields[1]?.endsWith(suffix) && fields[3] === '0A')?.[9];
}

function holds(pid: string, target: string) {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => openedAs(pid, fd) === target);
  } catch {
    return false; // Another user's process, or one that just ended.
  }
}

function openedAs(pid: string, fd: string) {
  try {
    return readlinkSync(`/proc/${pid}/fd/${fd}`);
  } catch {
    return undefined; // It was closed in the meantime.
  }
}

function ownerFromLsof(port: number) {
  const lines = execFileSync('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'], {
    encoding: 'utf8',
  }).split('\n');
  const field = (name: string) => lines.find((line) => line.startsWith(name))?.slice(1);
  return field('p') && `${field('c')} (pid ${field('p')})`;
}
