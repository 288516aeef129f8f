import type { RedisReply, Replication } from './redis-servers.js';

/** A server has a write that too few of its replicas have: a failover may lose it. */
export class NotReplicated extends Error {
  override readonly name = 'NotReplicated';
}

/** Commands that are sent in one go; the reply is that of the last one. */
export type Commands = readonly string[][];

interface Write {
  readonly commands: Commands;
  readonly resolve: (reply: RedisReply) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes of one connection that replicas must have, too. WAIT confirms all earlier writes of its connection, and blocks it: so writes
 * that come while one is under way are sent together after it, with one WAIT for all of them.
 */
export class ReplicatedWrites {
  #queue: Write[] = [];
  #isWriting = false;

  constructor(private readonly send: (commands: Commands) => Promise<RedisReply>) {}

  /** @throws NotReplicated, or the error of the write */
  write(commands: Commands, replication: Replication): Promise<RedisReply> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ commands, resolve, reject });
      if (!this.#isWriting) void this.#writeAll(replication);
    });
  }

  async #writeAll(replication: Replication): Promise<void> {
    this.#isWriting = true;
    while (this.#queue.length > 0) await this.#writeGroup(this.#queue.splice(0), replication);
    this.#isWriting = false;
  }

  async #writeGroup(group: readonly Write[], { replicas, waitMs }: Replication): Promise<void> {
    const replies = group.map(({ commands }) => this.send(commands));
    const confirmation = this.send([['WAIT', String(replicas), String(waitMs)]]);
    const [confirmed, ...written] = await Promise.allSettled([confirmation, ...replies]);
    const missing = replicas - (confirmed?.status === 'fulfilled' ? Number(confirmed.value) : 0);
    const cause = confirmed?.status === 'rejected' ? (confirmed.reason as unknown) : undefined;
    for (const [index, { resolve, reject }] of group.entries()) {
      const own = written[index];
      if (own?.status !== 'fulfilled') reject(own?.reason);
      else if (missing > 0) reject(new NotReplicated(`${missing} replicas did not confirm`, { cause }));
      else resolve(own.value);
    }
  }
}
