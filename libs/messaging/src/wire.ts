import type { Msg, NatsConnection } from '@nats-io/transport-node';
import type { Release } from '@vaultsvc/config';
import {
  AppError,
  isErrorReason,
  type CallContext,
  type ErrorDetails,
  type Operation,
} from '@vaultsvc/contracts';
import type { CallMac } from '@vaultsvc/crypto/mac';
import { frameForm } from './frame-form.js';
import { headersForm } from './headers-form.js';
import type { Encoded, OutgoingCall, ReceivedCall, ReceivedReply, WireForm } from './wire-form.js';

// The wire of an operation: the body is the bytes that the HTTP client sent, never re-escaped into another JSON text. The reply
// subject is `_INBOX.<caller>.<process>.<call id>`. MACs under the key of caller and called service authenticate calls and replies
// (OPEN-51). How they are written is the form; a service reads both forms, and replies in that of the call (ADR 58).

export const EMPTY = new Uint8Array(0);

/**
 * The form of a message. Throws for headers that cannot be read. A frame to which a server has added headers, as message tracing of NATS
 * does, is refused.
 */
export function formOf({ headers }: Msg): WireForm {
  return headers === undefined ? frameForm : headersForm;
}

/** The form in which calls are written while instances of this release may receive them. */
export function formFor(oldest: Release): WireForm {
  return oldest === '0.1' ? headersForm : frameForm;
}

/** Path and query parameters, already validated by the sender. */
export interface WireInput {
  readonly params?: object;
  readonly query?: object;
}

export function callOf(
  op: Operation,
  replyTo: string,
  { params, query }: WireInput,
  context: CallContext,
  body: Uint8Array,
): OutgoingCall {
  const input = JSON.stringify({ params, query });
  return { operation: op.name, replyTo, context: JSON.stringify(context), input, body };
}

/** The caller that a message names; its MAC proves it. Undefined without a reply subject of ours. */
export function callerOf({ reply = '' }: Msg): string | undefined {
  const [inbox, caller, ...rest] = reply.split('.');
  return inbox === '_INBOX' && rest.length === 2 ? caller : undefined;
}

/** Context and parameters of a signed call. */
export function readCall({ context, input }: ReceivedCall): { context: CallContext; input: WireInput } {
  return { context: JSON.parse(context) as CallContext, input: JSON.parse(input) as WireInput };
}

/** An encoded message and its subject. */
export interface Publication extends Encoded {
  readonly subject: string;
  /** Of a call: the subject of its reply. */
  readonly reply?: string;
}

export function publish(connection: Publisher, { subject, data, reply, headers }: Publication): void {
  connection.publish(subject, data, { ...(reply && { reply }), ...(headers && { headers }) });
}

type Publisher = Pick<NatsConnection, 'publish'>;

/** What signs and addresses the replies to a call. */
export interface ReplyWriter {
  readonly form: WireForm;
  readonly mac: CallMac;
  readonly replyTo: string;
}

export function successReply({ form, mac, replyTo }: ReplyWriter, payload: Uint8Array): Publication {
  return { subject: replyTo, ...form.encodeReply(mac, { replyTo, reason: '', payload }) };
}

export function errorReply({ form, mac, replyTo }: ReplyWriter, { reason, details }: AppError): Publication {
  const payload = details ? Buffer.from(JSON.stringify(details)) : EMPTY;
  return { subject: replyTo, ...form.encodeReply(mac, { replyTo, reason, payload }) };
}

/** The reply, if the called service has signed it. */
export function readReply(mac: CallMac, message: Msg): ReceivedReply | undefined {
  const form = formOf(message);
  const reply = form.decodeReply(message);
  return reply && form.isReplySigned(mac, message, reply) ? reply : undefined;
}

/** The error that a reply carries, if any. A reason that this build does not declare becomes INTERNAL_ERROR. */
export function errorOf({ reason, payload }: ReceivedReply): AppError | undefined {
  if (!reason) return undefined;
  if (!isErrorReason(reason))
    return new AppError('INTERNAL_ERROR', undefined, { cause: new Error(`unknown reason ${reason}`) });
  return new AppError(reason, payload.length > 0 ? (jsonOf(payload) as ErrorDetails) : undefined);
}

/** The JSON value in these bytes. */
export function jsonOf(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
}
