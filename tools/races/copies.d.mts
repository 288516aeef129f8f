import type { RunningServer } from '../test/servers.mjs';

/** A copy of the service; `plan.logPath` is where its output goes. */
export interface Copy extends RunningServer {
  readonly plan: { readonly logPath: string };
  restart(): Promise<Copy>;
  start(): Promise<Copy>;
}

export function buildSparks(): Promise<string>;
export function migrateSparks(bundle: string, environment: Record<string, string>): Promise<void>;
export function startCopy(bundle: string, environment: Record<string, string>): Promise<Copy>;
