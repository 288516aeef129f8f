import { headers, type Msg, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import {
  AppError,
  isErrorReason,
  type CallContext,
  type ErrorDetails,
  type Operation,
} from '@vaultsvc/contracts';
import type { CallMac } from '@vaultsvc/crypto/mac';

/**
 * The wire form of an operation: the body is the bytes that the HTTP client sent (never re-escaped into another JSON text);
 * context and parameters are headers. The reply subject is `_INBOX.<caller>.<process>.<call id>`. MACs under the key of caller
 * and called service authenticate calls and replies (OPEN-51).
 */
const CONTEXT = 'Vk-Context';
const MAC = 'Vk-Mac';
const INPUT = 'Vk-Input';
const ERROR = 'Vk-Error';

export const EMPTY = new Uint8Array(0);

/** Path and query parameters, already validated by the sender. */
export interface WireInput {
  readonly params?: object;
  readonly query?: object;
}

export interface OutgoingCall {
  readonly op: Operation;
  readonly replyTo: string;
  readonly input: WireInput;
  readonly context: CallContext;
  readonly body: Uint8Array;
}

export function callHeaders(mac: CallMac, { op, replyTo, input, context, body }: OutgoingCall): MsgHdrs {
  const contextText = JSON.stringify(context);
  const inputText = JSON.stringify({ params: input.params, query: input.query });
  const head = headers();
  head.set(CONTEXT, contextText);
  head.set(INPUT, inputText);
  const parts = { operation: op.name, replyTo, context: contextText, input: inputText, body };
  head.set(MAC, mac.signCall(parts));
  return head;
}

/** The caller that a message names; its MAC proves it. Undefined without a reply subject of ours. */
export function callerOf({ reply = '' }: Msg): string | undefined {
  const [inbox, caller, ...rest] = reply.split('.');
  return inbox === '_INBOX' && rest.length === 2 ? caller : undefined;
}

/** Whether the caller has signed the message for this operation. */
export function verifyCall(mac: CallMac, op: Operation, { reply = '', headers: head, data }: Msg): boolean {
  const context = head?.get(CONTEXT) ?? '';
  const input = head?.get(INPUT) ?? '';
  const parts = { operation: op.name, replyTo: reply, context, input, body: data };
  return mac.verifyCall(parts, head?.get(MAC));
}

/** Context and parameters of a verified message. */
export function readCall({ headers: head }: Msg): { context: CallContext; input: WireInput } {
  return {
    context: JSON.parse(head?.get(CONTEXT) ?? '') as CallContext,
    input: JSON.parse(head?.get(INPUT) ?? '') as WireInput,
  };
}

/** A reply, signed for the subject that it is sent to. */
export interface WireReply {
  readonly replyTo: string;
  /** The reason of an error; empty for a success. */
  readonly reason: string;
  readonly payload: Uint8Array;
  readonly mac: string;
}

/** Publishes a reply. */
export function publishReply(connection: Publisher, { replyTo, reason, payload, mac }: WireReply): void {
  const head = headers();
  if (reason) head.set(ERROR, reason);
  head.set(MAC, mac);
  connection.publish(replyTo, payload, { headers: head });
}

type Publisher = Pick<NatsConnection, 'publish'>;

export function successReply(mac: CallMac, replyTo: string, payload: Uint8Array): WireReply {
  return signedReply(mac, replyTo, '', payload);
}

export function errorReply(mac: CallMac, replyTo: string, { reason, details }: AppError): WireReply {
  return signedReply(mac, replyTo, reason, details ? Buffer.from(JSON.stringify(details)) : EMPTY);
}

function signedReply(mac: CallMac, replyTo: string, reason: string, payload: Uint8Array): WireReply {
  return { replyTo, reason, payload, mac: mac.signReply({ replyTo, reason, payload }) };
}

/** Whether the called service has signed the reply for its subject, which names the call. */
export function verifyReply(mac: CallMac, { subject, headers: head, data }: Msg): boolean {
  const parts = { replyTo: subject, reason: head?.get(ERROR) ?? '', payload: data };
  return mac.verifyReply(parts, head?.get(MAC));
}

/** The error that a reply carries, if any. A reason that this build does not declare becomes INTERNAL_ERROR. */
export function readError(message: Msg): AppError | undefined {
  const reason = message.headers?.get(ERROR);
  if (!reason) return undefined;
  if (!isErrorReason(reason))
    return new AppError('INTERNAL_ERROR', undefined, { cause: new Error(`unknown reason ${reason}`) });
  return new AppError(reason, message.data.length > 0 ? (message.json() as ErrorDetails) : undefined);
}

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
