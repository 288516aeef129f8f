import pg from 'pg';

/** All connections stayed in use for as long as a caller waits for one. The caller's work has not started. */
export class ConnectionPoolFull extends Error {
  override readonly name = 'ConnectionPoolFull';

  /** `size`: the connections of the pool. */
  constructor(
    readonly size: number,
    options?: ErrorOptions,
  ) {
    super(`all ${size} connections are in use`, options);
  }
}

/** The message is the only mark of this error of pg; a server that does not answer has another. */
const WAITED_IN_VAIN = 'timeout exceeded when trying to connect';

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** Whether statements are prepared under their names; undefined: yes. */
export interface ConnectionPoolConfig extends pg.PoolConfig {
  readonly isPrepared?: boolean;
}

/** pg's pool; a wait for a connection that times out fails with ConnectionPoolFull. */
export class ConnectionPool extends pg.Pool {
  readonly #atEnd: (() => void)[] = [];

  /** Whether statements are prepared under their names, once for each connection. */
  get isPrepared(): boolean {
    return (this.options as ConnectionPoolConfig).isPrepared ?? true;
  }

  /** Adds a step that `end` runs first. */
  beforeEnd(step: () => void): void {
    this.#atEnd.push(step);
  }

  override end(): Promise<void>;
  override end(callback: () => void): void;
  override end(callback?: () => void): Promise<void> | void {
    for (const step of this.#atEnd.splice(0)) step();
    return callback ? super.end(callback) : super.end();
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    if (callback) return super.connect((error, client, done) => callback(this.#named(error), client, done));
    return super.connect().catch((error: unknown) => {
      throw this.#named(error as Error);
    });
  }

  #named<E extends Error | undefined>(error: E): E | ConnectionPoolFull {
    if (error?.message !== WAITED_IN_VAIN) return error;
    return new ConnectionPoolFull(this.options.max, { cause: error });
  }
}
