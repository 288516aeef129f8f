import type { Msg, MsgHdrs } from '@nats-io/transport-node';
import type { CallMac } from '@vaultsvc/crypto/mac';

/** A call before it is encoded; context and input are JSON. */
export interface OutgoingCall {
  readonly operation: string;
  readonly replyTo: string;
  readonly context: string;
  readonly input: string;
  readonly body: Uint8Array;
}

/** A reply before it is encoded. */
export interface OutgoingReply {
  readonly replyTo: string;
  /** The reason of an error; empty for a success. */
  readonly reason: string;
  readonly payload: Uint8Array;
}

export type ReceivedCall = Omit<OutgoingCall, 'operation' | 'replyTo'>;
export type ReceivedReply = Omit<OutgoingReply, 'replyTo'>;

/** Payload and headers of a NATS message. */
export interface Encoded {
  readonly data: Uint8Array;
  readonly headers?: MsgHdrs;
}

/** How calls and replies are written. Nothing decoded may be trusted before its signature. */
export interface WireForm {
  encodeCall(mac: CallMac, call: OutgoingCall): Encoded;
  /** Undefined for a message that has no such form. */
  decodeCall(message: Msg): ReceivedCall | undefined;
  /** Whether the caller has signed the message for this operation. */
  isCallSigned(mac: CallMac, operation: string, message: Msg, call: ReceivedCall): boolean;
  encodeReply(mac: CallMac, reply: OutgoingReply): Encoded;
  /** Undefined for a message that has no such form. */
  decodeReply(message: Msg): ReceivedReply | undefined;
  /** Whether the called service has signed the reply for its subject, which names the call. */
  isReplySigned(mac: CallMac, message: Msg, reply: ReceivedReply): boolean;
}
