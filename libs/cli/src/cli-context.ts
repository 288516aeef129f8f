import type { ApiConnection } from './api/api-connection.js';
import type { Environment } from './environment.js';
import type { CredentialStore } from './storage/credential-store.js';
import type { Output } from './terminal/output.js';
import type { Terminal } from './terminal/terminal.js';

/** The dependencies of a command. */
export interface CliContext {
  readonly environment: Environment;
  readonly output: Output;
  readonly terminal: Terminal;
  readonly store: CredentialStore;
  readonly api: ApiConnection;
  /** Aborts at Ctrl-C. */
  readonly signal: AbortSignal;
}
