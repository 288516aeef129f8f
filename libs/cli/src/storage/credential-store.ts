import { join } from 'node:path';
import type { Schema, SessionStore, SessionTokens } from '@vaultsvc/client';
import { withFileLock } from '@vaultsvc/client/node';
import { readPrivateJson, writePrivateJson } from './private-json-file.js';

/** The stored credentials of a vault. */
export interface StoredVault {
  readonly name?: string;
  /** Only with `--save`. */
  readonly vmk?: string;
  readonly vat?: string;
  /** Epoch seconds. */
  readonly vat_expires_at?: number;
}

/** What is kept of an API after a login. */
export type StoredDeployment = Pick<Schema<'PublicConfig'>, 'origins' | 'limits'>;

/** The credentials for one API. They are never sent to another. */
export interface StoredServer {
  readonly api_key?: string;
  readonly session?: SessionTokens;
  readonly vaults?: Readonly<Record<string, StoredVault>>;
  /** As it was at the login. */
  readonly deployment?: StoredDeployment;
}

interface StoredConfig {
  /** The origin of the last login. */
  readonly current?: string;
  readonly servers?: Readonly<Record<string, StoredServer>>;
}

/** The file with the credentials: `config.json`, with mode 0600. */
export class CredentialStore {
  readonly path: string;

  constructor(configDir: string) {
    this.path = join(configDir, 'config.json');
  }

  /** The origin of the last login. */
  get currentUrl(): string | undefined {
    return this.#read().current;
  }

  server(url: string): StoredServer {
    const { servers = {} } = this.#read();
    return (Object.hasOwn(servers, url) && servers[url]) || {};
  }

  /** Makes this API the current one, with these credentials. What is kept of its vaults stays. */
  async login(url: string, credential: Omit<StoredServer, 'vaults'>): Promise<void> {
    await this.#change((config) => ({
      current: url,
      servers: { ...config.servers, [url]: { vaults: config.servers?.[url]?.vaults, ...credential } },
    }));
  }

  /** Deletes everything that is kept for an API. */
  async logout(url: string): Promise<void> {
    await this.#change(({ current, servers = {} }) => ({
      current: current === url ? undefined : current,
      servers: Object.fromEntries(Object.entries(servers).filter(([other]) => other !== url)),
    }));
  }

  /** The session for an API, as the client library uses it: one process at a time renews it. */
  sessions(url: string): SessionStore {
    const save = (session?: SessionTokens) => this.#changeServer(url, (server) => ({ ...server, session }));
    return {
      load: async () => this.server(url).session,
      save,
      clear: () => save(),
      lock: (change) => withFileLock(`${this.path}.session.lock`, change),
    };
  }

  /** Changes what is kept of a vault; members with `undefined` are removed. */
  async saveVault(url: string, vaultId: string, change: StoredVault): Promise<void> {
    await this.#changeServer(url, (server) => ({
      ...server,
      vaults: { ...server.vaults, [vaultId]: { ...server.vaults?.[vaultId], ...change } },
    }));
  }

  #changeServer(url: string, change: (server: StoredServer) => StoredServer): Promise<void> {
    return this.#change((config) => ({
      ...config,
      servers: { ...config.servers, [url]: change(config.servers?.[url] ?? {}) },
    }));
  }

  /** Two commands that run at once would otherwise overwrite what the other has written. */
  async #change(change: (config: StoredConfig) => StoredConfig): Promise<void> {
    await withFileLock(`${this.path}.lock`, () => writePrivateJson(this.path, change(this.#read())));
  }

  #read(): StoredConfig {
    return (readPrivateJson(this.path) ?? {}) as StoredConfig;
  }
}
