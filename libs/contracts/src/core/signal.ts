/**
 * A message of core NATS without content, which asks its receivers to read the state of a key again. It may be lost, repeated
 * or forged: it decides when a receiver reads, and never what. Receivers read periodically as well.
 */
export interface Signal {
  /** The service that sends it. */
  readonly service: string;
  /** The services that receive it, with all their instances. */
  readonly receivers: readonly string[];
  /** Its NATS subject is this prefix, a dot and the key. */
  readonly signalPrefix: string;
}

/** Declares a signal. `name`: the sending service, a dot, and what has changed. */
export function signal({
  name,
  receivers,
}: {
  readonly name: `${string}.${string}`;
  readonly receivers: readonly string[];
}): Signal {
  return { service: name.slice(0, name.indexOf('.')), receivers, signalPrefix: `live.${name}` };
}

/** The NATS subject of a signal for a key. Throws RangeError for a key that is not one token of a subject. */
export function signalSubject({ signalPrefix }: Signal, key: string): string {
  if (!/^\w+$/.test(key)) throw new RangeError('the key of a signal must be one token of a subject');
  return `${signalPrefix}.${key}`;
}
