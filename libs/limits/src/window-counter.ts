import type { FixedWindow } from './fixed-window.js';
import type { RedisConnection } from './redis-connection.js';
import { RedisScript } from './redis-script.js';

/** A count of calls. The clock is that of the server that has the counter. */
export type Count = Pick<FixedWindow, 'used' | 'resetsAt' | 'now'>;

/**
 * The beginning of a Lua script: `now`, the end of the minute `ends`, and `count(key)`, which counts a call in the window.
 * INCR and EXPIREAT are one atomic step: a crash between them would block an account for ever.
 */
export const COUNT_IN_WINDOW = `
local now = tonumber(redis.call('TIME')[1])
local ends = (math.floor(now / 60) + 1) * 60
local function count(key)
  local used = redis.call('INCR', key .. string.format('%d', ends))
  if used == 1 then redis.call('EXPIREAT', key .. string.format('%d', ends), ends + 5) end
  return used
end
`;

/**
 * The same in a cluster, where the name of a counter is that of its key: while its slot moves, a node can tell from the name
 * whether it still has the counter. The window ends when the key expires. After failovers counters were seen that had no expiry, and would
 * have blocked their account for ever: such a one gets the end of this minute.
 */
export const COUNT_IN_CLUSTER = `
local now = tonumber(redis.call('TIME')[1])
local ends = (math.floor(now / 60) + 1) * 60
local function count(key)
  local used = redis.call('INCR', key)
  local expires = redis.call('EXPIRETIME', key)
  if expires > 0 then ends = expires else redis.call('EXPIREAT', key, ends) end
  return used
end
`;

/** Counts calls in windows of one minute. Its methods throw RedisUnavailable. */
export class WindowCounter {
  constructor(private readonly redis: RedisConnection) {}

  /** Counts a call. */
  count(counter: string): Promise<Count> {
    return this.#run(this.redis.isCluster ? countInCluster : countInWindow, counter);
  }

  /** The window without a further call. */
  read(counter: string): Promise<Count> {
    return this.#run(this.redis.isCluster ? readInCluster : readInWindow, counter);
  }

  async #run(script: RedisScript, counter: string): Promise<Count> {
    const [used, resetsAt, now] = (await this.redis.run(script, [counter], [])) as [number, number, number];
    return { used, resetsAt, now };
  }
}

const countInWindow = new RedisScript(`${COUNT_IN_WINDOW}
return {count(KEYS[1]), ends, now}
`);

// `count` changes `ends`, and Lua leaves open in which order it evaluates the fields of a table.
const countInCluster = new RedisScript(`${COUNT_IN_CLUSTER}
local used = count(KEYS[1])
return {used, ends, now}
`);

const readInWindow = new RedisScript(`${COUNT_IN_WINDOW}
return {tonumber(redis.call('GET', KEYS[1] .. string.format('%d', ends)) or 0), ends, now}
`);

const readInCluster = new RedisScript(`${COUNT_IN_CLUSTER}
local used = tonumber(redis.call('GET', KEYS[1]) or 0)
local expires = redis.call('EXPIRETIME', KEYS[1])
if expires > 0 then ends = expires end
return {used, ends, now}
`);
