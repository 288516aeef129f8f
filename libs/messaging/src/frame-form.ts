import type { Msg } from '@nats-io/transport-node';
import { MAC_BYTES, type CallMac } from '@vaultsvc/crypto/mac';
import type {
  Encoded,
  OutgoingCall,
  OutgoingReply,
  ReceivedCall,
  ReceivedReply,
  WireForm,
} from './wire-form.js';

const VERSION = 1;
const MAC_OFFSET = 1;
/** The offset of the bytes that the MAC covers. */
const SIGNED_OFFSET = MAC_OFFSET + MAC_BYTES;
const CALL_HEAD_BYTES = SIGNED_OFFSET + 8;
const REPLY_HEAD_BYTES = SIGNED_OFFSET + 1;

/**
 * The form of release 0.2: the payload is one binary frame, without NATS headers, which both sides would encode and parse as text.
 *
 * Call: version 1 | MAC 32 | length of context 4 | length of input 4 | context | input | body.
 * Reply: version 1 | MAC 32 | length of reason 1 | reason | payload. Lengths are big-endian; the last part is the rest.
 *
 * The MAC covers everything after it, and the operation and the reply subject (`CallMac`). The version is before it: another version needs
 * labels of its own.
 */
export const frameForm: WireForm = {
  encodeCall(mac: CallMac, { operation, replyTo, context, input, body }: OutgoingCall): Encoded {
    const contextBytes = Buffer.byteLength(context);
    const inputBytes = Buffer.byteLength(input);
    const frame = Buffer.allocUnsafe(CALL_HEAD_BYTES + contextBytes + inputBytes + body.length);
    frame[0] = VERSION;
    frame.writeUInt32BE(contextBytes, SIGNED_OFFSET);
    frame.writeUInt32BE(inputBytes, SIGNED_OFFSET + 4);
    frame.write(context, CALL_HEAD_BYTES);
    frame.write(input, CALL_HEAD_BYTES + contextBytes);
    frame.set(body, CALL_HEAD_BYTES + contextBytes + inputBytes);
    mac.signCallFrame({ operation, replyTo }, frame.subarray(SIGNED_OFFSET)).copy(frame, MAC_OFFSET);
    return { data: frame };
  },

  decodeCall({ data }: Msg): ReceivedCall | undefined {
    const frame = bufferOf(data);
    if (frame[0] !== VERSION || frame.length < CALL_HEAD_BYTES) return undefined;
    const inputOffset = CALL_HEAD_BYTES + frame.readUInt32BE(SIGNED_OFFSET);
    const bodyOffset = inputOffset + frame.readUInt32BE(SIGNED_OFFSET + 4);
    if (bodyOffset > frame.length) return undefined;
    return {
      context: frame.toString('utf8', CALL_HEAD_BYTES, inputOffset),
      input: frame.toString('utf8', inputOffset, bodyOffset),
      body: frame.subarray(bodyOffset),
    };
  },

  isCallSigned(mac: CallMac, operation: string, { reply = '', data }: Msg): boolean {
    const frame = bufferOf(data);
    return mac.verifyCallFrame({ operation, replyTo: reply }, frame.subarray(SIGNED_OFFSET), macOf(frame));
  },

  encodeReply(mac: CallMac, { replyTo, reason, payload }: OutgoingReply): Encoded {
    const frame = Buffer.allocUnsafe(REPLY_HEAD_BYTES + reason.length + payload.length);
    frame[0] = VERSION;
    frame[SIGNED_OFFSET] = reason.length;
    frame.write(reason, REPLY_HEAD_BYTES, 'latin1');
    frame.set(payload, REPLY_HEAD_BYTES + reason.length);
    mac.signReplyFrame(replyTo, frame.subarray(SIGNED_OFFSET)).copy(frame, MAC_OFFSET);
    return { data: frame };
  },

  decodeReply({ data }: Msg): ReceivedReply | undefined {
    const frame = bufferOf(data);
    if (frame[0] !== VERSION || frame.length < REPLY_HEAD_BYTES) return undefined;
    const payloadOffset = REPLY_HEAD_BYTES + frame.readUInt8(SIGNED_OFFSET);
    if (payloadOffset > frame.length) return undefined;
    return {
      reason: frame.toString('latin1', REPLY_HEAD_BYTES, payloadOffset),
      payload: frame.subarray(payloadOffset),
    };
  },

  isReplySigned(mac: CallMac, { subject, data }: Msg): boolean {
    const frame = bufferOf(data);
    return mac.verifyReplyFrame(subject, frame.subarray(SIGNED_OFFSET), macOf(frame));
  },
};

function macOf(frame: Buffer): Buffer {
  return frame.subarray(MAC_OFFSET, SIGNED_OFFSET);
}

/** The same bytes, not a copy. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
