import { readFile } from 'node:fs/promises';
import { buildInfo, summarizeSettings, type ServiceConfig } from '@vaultsvc/config';

const ANSWER_MS_MAX = 5_000;
/** Of each log file the end, which is what happened last. */
const LOG_CHARACTERS_MAX = 2_000_000;
const REDACTED = '[redacted]';

/** What a maintainer asks for first, as texts by file name. */
export type SupportFiles = Readonly<Record<string, string>>;

/** What to collect, besides what the environment says. */
export interface SupportRequest {
  readonly service: string;
  readonly config: new () => ServiceConfig;
  /** Of the process by default. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Paths of files with log lines. */
  readonly logs: readonly string[];
}

/**
 * Versions, settings without secrets, readiness, metrics (schema versions among them) and recent log lines of a service. Whatever
 * cannot be read is named by its file. No secret of the settings is in any of them, not even where a log line contained it.
 */
export async function collectSupport({
  service,
  config,
  environment,
  logs,
}: SupportRequest): Promise<SupportFiles> {
  const { settings, problems, secrets } = summarizeSettings(service, config, environment);
  const port = settings['PRIVATE_PORT'] ?? '';
  const host = hostOf(settings['PRIVATE_HOST'] ?? '');
  const files = {
    'version.json': json({
      service,
      ...buildInfo(),
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
    }),
    'settings.json': json({ settings, problems }),
    'readyz.json': await answerOf(`http://${host}:${port}/readyz`),
    'metrics.txt': await answerOf(`http://${host}:${port}/metrics`),
    ...(await logFiles(logs)),
  };
  return Object.fromEntries(
    Object.entries(files).map(([name, text]) => [`${service}/${name}`, redact(text, secrets)]),
  );
}

/** An address for all interfaces is reached on this machine. */
function hostOf(host: string): string {
  if (host === '' || host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

async function answerOf(url: string): Promise<string> {
  try {
    return await (await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS_MAX) })).text();
  } catch (error) {
    return `no answer: ${reasonOf(error)}\n`;
  }
}

async function logFiles(paths: readonly string[]): Promise<Record<string, string>> {
  const files = paths.map(async (path, index) => [`log-${index + 1}.txt`, await logOf(path)] as const);
  return Object.fromEntries(await Promise.all(files));
}

async function logOf(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).slice(-LOG_CHARACTERS_MAX);
  } catch (error) {
    return `cannot be read: ${reasonOf(error)}\n`;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function redact(text: string, secrets: readonly string[]): string {
  const longestFirst = [...secrets].sort((a, b) => b.length - a.length);
  return longestFirst.reduce((left, secret) => left.replaceAll(secret, REDACTED), text);
}
