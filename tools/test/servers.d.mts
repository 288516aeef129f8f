/** See `Server` in tools/stack/servers/server.mjs. */
export interface RunningServer {
  readonly url: string;
  /** 0 while it does not run. */
  readonly pid: number;
  stop(): Promise<void>;
  /** Waits for the end of the process; SIGKILL unless told otherwise. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  pause(): void;
  resume(): void;
  restart(): Promise<RunningServer>;
}

export class PrivateServers {
  constructor(dir: string);
  startPostgres(): Promise<RunningServer>;
  startRedis(): Promise<RunningServer>;
  startNats(): Promise<RunningServer>;
  startKms(): Promise<RunningServer>;
}

export function provisionSchema(
  admin: { query(text: string): Promise<unknown> },
  service: { role: string; schema: string; password: string },
): Promise<void>;

export function sharedServersOfRun(): {
  readonly dir: string;
  readonly postgresUrl: string;
  readonly redisUrl: string;
  readonly kmsUrl: string;
};
