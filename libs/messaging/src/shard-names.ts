// A service with shards has a database for each of them, and instances that serve it (ADR 61). The names of shard 0 at NATS are those of a
// service without shards, which earlier releases know.

/** A subject of one shard. */
export function shardSubject(subject: string, shard: number): string {
  return shard === 0 ? subject : `${subject}.s${shard}`;
}

/** The name of the durable consumer with which a shard of a service receives the events of another service. */
export function durableName(service: string, source: string, shard: number): string {
  return shard === 0 ? `${service}-${source}` : `${service}-${source}-s${shard}`;
}

/** The target of a call: the instances of a service, or of one shard of it. Its name is a token of a subject. */
export function callTarget(service: string, shard: number): string {
  return shard === 0 ? service : `${service}@${shard}`;
}

/** The parts of the name of a target. */
export function readTarget(target: string): { service: string; shard: number } {
  const [service = '', shard = '0'] = target.split('@');
  return { service, shard: Number(shard) };
}
