import { headers, type Msg } from '@nats-io/transport-node';
import type { CallMac } from '@vaultsvc/crypto/mac';
import type {
  Encoded,
  OutgoingCall,
  OutgoingReply,
  ReceivedCall,
  ReceivedReply,
  WireForm,
} from './wire-form.js';

const CONTEXT = 'Vk-Context';
const MAC = 'Vk-Mac';
const INPUT = 'Vk-Input';
const ERROR = 'Vk-Error';

/** The form of release 0.1: context, parameters and MAC are NATS headers, and the payload is the body. */
export const headersForm: WireForm = {
  encodeCall(mac: CallMac, { operation, replyTo, context, input, body }: OutgoingCall): Encoded {
    const head = headers();
    head.set(CONTEXT, context);
    head.set(INPUT, input);
    head.set(MAC, mac.signCall({ operation, replyTo, context, input, body }));
    return { data: body, headers: head };
  },

  decodeCall({ headers: head, data: body }: Msg): ReceivedCall {
    return { context: head?.get(CONTEXT) ?? '', input: head?.get(INPUT) ?? '', body };
  },

  isCallSigned(mac: CallMac, operation: string, { reply = '', headers: head }: Msg, call: ReceivedCall) {
    return mac.verifyCall({ operation, replyTo: reply, ...call }, head?.get(MAC));
  },

  encodeReply(mac: CallMac, reply: OutgoingReply): Encoded {
    const head = headers();
    if (reply.reason) head.set(ERROR, reply.reason);
    head.set(MAC, mac.signReply(reply));
    return { data: reply.payload, headers: head };
  },

  decodeReply({ headers: head, data: payload }: Msg): ReceivedReply {
    return { reason: head?.get(ERROR) ?? '', payload };
  },

  isReplySigned(mac: CallMac, { subject, headers: head }: Msg, reply: ReceivedReply): boolean {
    return mac.verifyReply({ replyTo: subject, ...reply }, head?.get(MAC));
  },
};
