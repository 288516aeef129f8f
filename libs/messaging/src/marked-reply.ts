const FRESH = Buffer.from([0]);
const REPLAYED = Buffer.from([1]);

/** The payload of a success of a call with an Idempotency-Key: a byte that tells a repetition, and the JSON. */
export function markedReply(json: string, isReplayed: boolean): Uint8Array {
  return Buffer.concat([isReplayed ? REPLAYED : FRESH, Buffer.from(json)]);
}

/** A reply as bytes. */
export interface ForwardedReply {
  readonly reply: Uint8Array;
  /** Whether it is that of an earlier call with the same Idempotency-Key. */
  readonly isReplayed: boolean;
}

/** The reply in the payload of a call with an Idempotency-Key; undefined from an older instance, which knows no key and marks nothing. */
export function readMarkedReply(payload: Uint8Array): ForwardedReply | undefined {
  const isMarked = payload[0] === FRESH[0] || payload[0] === REPLAYED[0];
  if (!isMarked) return undefined;
  return { reply: payload.subarray(1), isReplayed: payload[0] === REPLAYED[0] };
}
