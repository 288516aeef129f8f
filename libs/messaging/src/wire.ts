import { headers, type Msg, type MsgHdrs } from '@nats-io/transport-node';
import {
  AppError,
  isErrorReason,
  type CallContext,
  type ErrorDetails,
  type Operation,
} from '@vaultsvc/contracts';
import type { CallContextMac } from '@vaultsvc/crypto/mac';

/**
 * The wire form of an operation: the body is the bytes that the HTTP client sent (never re-escaped into another JSON
 * text); context and parameters are headers, authenticated by a MAC under a key that only our services hold (OPEN-51).
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

export function requestHeaders(
  mac: CallContextMac,
  op: Operation,
  input: WireInput,
  context: CallContext,
): MsgHdrs {
  const contextText = contextToText(context);
  const inputText = JSON.stringify({ params: input.params, query: input.query });
  const head = headers();
  head.set(CONTEXT, contextText);
  head.set(INPUT, inputText);
  head.set(MAC, mac.sign(op.name, signedText(contextText, inputText)));
  return head;
}

/**
 * Verifies and parses the context and parameters of a message.
 * @throws ForeignMessage when the MAC is missing or wrong
 */
export function openRequest(
  mac: CallContextMac,
  op: Operation,
  message: Msg,
): { context: CallContext; input: WireInput } {
  const contextText = message.headers?.get(CONTEXT) ?? '';
  const inputText = message.headers?.get(INPUT) ?? '';
  if (!mac.verify(op.name, signedText(contextText, inputText), message.headers?.get(MAC)))
    throw new ForeignMessage(op.name);
  return { context: contextFromText(contextText), input: JSON.parse(inputText) as WireInput };
}

/** On the wire `pools` is named `funds`, as earlier releases read and write it. */
function contextToText({ pools, ...context }: CallContext): string {
  return JSON.stringify({ ...context, funds: pools });
}

function contextFromText(text: string): CallContext {
  const { funds, ...context } = JSON.parse(text) as CallContext & { readonly funds?: CallContext['pools'] };
  return { ...context, ...(funds && { pools: funds }) };
}

/** JSON text contains no raw line break, so the separator is unambiguous. */
function signedText(contextText: string, inputText: string): string {
  return `${contextText}\n${inputText}`;
}

/** A message on our subjects without a valid MAC of one of our services. */
export class ForeignMessage extends Error {
  override readonly name = 'ForeignMessage';
  constructor(operation: string) {
    super(`a message for ${operation} does not carry a valid context`);
  }
}

export function errorReply(error: AppError): { payload: Uint8Array; headers: MsgHdrs } {
  const head = headers();
  head.set(ERROR, error.reason);
  return { payload: error.details ? Buffer.from(JSON.stringify(error.details)) : EMPTY, headers: head };
}

/** The error that a reply carries, if any. A reason that this build does not declare becomes INTERNAL_ERROR. */
export function readError(message: Msg): AppError | undefined {
  const reason = message.headers?.get(ERROR);
  if (!reason) return undefined;
  if (!isErrorReason(reason))
    return new AppError('INTERNAL_ERROR', undefined, { cause: new Error(`unknown reason ${reason}`) });
  return new AppError(reason, message.data.length > 0 ? (message.json() as ErrorDetails) : undefined);
}
