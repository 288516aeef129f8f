import { createHash } from 'node:crypto';

/** A Lua script with its SHA-1, by which Redis caches it. Redis executes a script atomically. */
export class RedisScript {
  readonly sha: string;

  constructor(readonly source: string) {
    this.sha = createHash('sha1').update(source).digest('hex');
  }
}

/** Whether Redis knows no script of this SHA-1. */
export function isScriptMissing(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}
