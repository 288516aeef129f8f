import { createHash } from 'node:crypto';

/** A Lua script and the name under which Redis remembers it. One script is one atomic step. */
export class RedisScript {
  readonly sha: string;

  constructor(readonly source: string) {
    this.sha = createHash('sha1').update(source).digest('hex');
  }
}
