import { readFileSync } from 'node:fs';
import { integer, list, loadConfig, origin, Setting, text } from '@vaultsvc/config';

/** The content of `stack.json`, see tools/stack/descriptor.ts. */
export interface Stack {
  readonly pid: number;
  readonly api_url: string;
  readonly forge_url: string;
  readonly link_url: string;
  readonly files_url: string;
  readonly identity_url: string;
  readonly mail_url: string;
  readonly chat_api_url: string;
  readonly crma_api_url: string;
  readonly crmb_api_url: string;
  readonly postgres_url: string;
  /** Of the second shard of accounts, with `TEST_CLUSTERS=1`. */
  readonly postgres_shard_url?: string;
  readonly redis_url: string;
  readonly nats_url: string;
  readonly kms_url: string;
  /** The folder of Forge's objects. */
  readonly objects_dir: string;
  readonly oidc: { readonly issuer: string; readonly client_id: string; readonly redirect_uri: string };
  readonly identity: { readonly pid: number };
  readonly mail: { readonly pid: number };
  readonly account: {
    readonly account_id: string;
    readonly organization_name: string;
    readonly owner_email: string;
    readonly api_key: string;
  };
  readonly services: Readonly<Record<string, { readonly pid: number; readonly private_url: string }>>;
  readonly infrastructure: Readonly<Record<'postgres' | 'redis' | 'nats', { readonly pid: number }>>;
}

class EndToEndConfig {
  @Setting(text, 'Path of the `stack.json` of the running stack; the test run starts one and sets this.')
  STACK_JSON: string;
}

class BrowserConfig {
  @Setting(text, 'Path of Chromium for the browser tests; the test run finds or installs it and sets this.')
  CHROMIUM: string;
}

class PagesConfig {
  @Setting(
    list(origin),
    'Origins of pages served by tests, which the API and Forge allow; the test run sets this.',
  )
  PAGES_ORIGINS: readonly string[];

  @Setting(integer({ min: 1 }), 'Number of the worker; Jest sets this.')
  JEST_WORKER_ID: number;
}

/** The origin at which a test may serve a page that calls Forge; no other worker has it. */
export function pagesOrigin(): string {
  const { PAGES_ORIGINS: origins, JEST_WORKER_ID: worker } = loadConfig(PagesConfig);
  const found = origins[worker - 1];
  if (!found) throw new Error(`there are ${origins.length} origins of pages, and none for worker ${worker}`);
  return found;
}

/** Path of the browser of the browser tests. */
export function chromiumPath(): string {
  return loadConfig(BrowserConfig).CHROMIUM;
}

/** The current `stack.json`, whose pids follow restarts. */
export function stack(): Stack {
  return JSON.parse(readFileSync(loadConfig(EndToEndConfig).STACK_JSON, 'utf8')) as Stack;
}
