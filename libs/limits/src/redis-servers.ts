import type { RedisSettings } from '@vaultsvc/config';

type Optional = 'REDIS_SENTINELS' | 'REDIS_CLUSTER';

/** The settings that a service with Redis declares. */
export type RedisConfig = Readonly<
  Omit<RedisSettings, Optional> &
    Partial<Pick<RedisSettings, Optional>> & {
      /** A number, or `auto`: 1 with REDIS_CLUSTER, otherwise 0. For a service that revokes credentials. */
      REDIS_REVOCATION_REPLICAS?: string;
    }
>;

export type RedisReply = string | number | null | readonly RedisReply[];

/** Replicas that must have a write, and the milliseconds that the server waits for them. */
export interface Replication {
  readonly replicas: number;
  readonly waitMs: number;
}

/** Reports of a connection. */
export interface ConnectionEvents {
  /** An error of the connection. */
  readonly warn: (message: string, error: unknown) => void;
  /** The connection has ended, and not by `destroy`. */
  readonly lost?: () => void;
}

/** One server of Redis. */
export interface RedisServer {
  /** Whether the connection is ready for commands. */
  readonly isReady: boolean;
  /** Runs one command; rejects at once while there is no connection. */
  send(parts: string[]): Promise<RedisReply>;
}

/** The servers that commands of a service go to: one, or the masters of a cluster. */
export interface RedisServers {
  /** Whether all connections are ready for commands. */
  readonly isReady: boolean;
  /** Those that are known: none before the first answer of a cluster. */
  readonly members: readonly RedisServer[];
  /** Begins to connect, and resolves once all are connected; perhaps never. */
  connect(): Promise<void>;
  /** Runs one command on the server that has `key`; rejects at once while there is no connection to it; a new master of a cluster is waited for. */
  send(parts: string[], key: string): Promise<RedisReply>;
  /**
   * As `send`, for a write that replicas must have, too.
   * @throws NotReplicated when the server has it and too few replicas do
   */
  sendReplicated(parts: string[], key: string, replication: Replication): Promise<RedisReply>;
  /** A command has failed or timed out: the servers may have changed. */
  failed(error: unknown): void;
  /** Closes all connections for good. Pending commands fail. */
  destroy(): void;
}
