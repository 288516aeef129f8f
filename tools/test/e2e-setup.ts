// The end-to-end suites talk to one local stack, started as a newcomer starts it. It starts beside the first specs.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureChromium } from '../stack/servers/install.ts';
import { freeStackPort } from '../stack/servers/ports.ts';
import { readSettings } from '../stack/settings.ts';
import { startStackOfRun } from './e2e-stack.ts';

const origin = (port: number) => `http://127.0.0.1:${port}`;

/** The ports of a stack that are for pages of tests. */
const pagePorts = { from: 90, count: 10 };

/** A late answer means a busy machine, not a fault. */
const patience = { CALL_TIMEOUT_MS: '50000', DATABASE_STATEMENT_MS: '30000' };

/** @param config of Jest */
export default async function startEndToEnd({ maxWorkers }: { maxWorkers: number }) {
  // First, so that a missing browser is reported before anything starts.
  process.env.CHROMIUM = await ensureChromium();
  const port = await freeStackPort();
  const identity = origin(readSettings({ VAULTSVC_PORT: String(port) }, []).ports.identity);
  // Other origins than those of the stack, one for each worker, for pages that tests serve.
  const pages = Array.from({ length: Math.min(maxWorkers, pagePorts.count) }, (_, index) =>
    origin(port + pagePorts.from + index),
  ).join();
  process.env.PAGES_ORIGINS = pages;
  process.env.STACK_JSON = join(mkdtempSync(join(tmpdir(), 'vaultsvc-e2e-')), 'stack.json');
  const { TEST_SHARD: shard } = process.env;
  const shards: Record<string, string> = shard ? { SHARDS: shard, SHARD: shard, ACCOUNT_SHARDS: shard } : {};
  const settings = { CORS_ORIGINS: `${identity},${pages}`, ...patience, ...shards };
  const args = process.env.TEST_CLUSTERS ? ['--clusters'] : [];
  startStackOfRun({ port, settings, args }, process.env.STACK_JSON);
}
