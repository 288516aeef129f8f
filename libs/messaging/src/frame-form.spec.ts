import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { Msg } from '@nats-io/transport-node';
import { CallMac } from '@vaultsvc/crypto/mac';
import fc from 'fast-check';
import { frameForm } from './frame-form.js';

const key = Buffer.from(Array.from({ length: 32 }, (_, index) => 200 + index));
const mac = new CallMac(key);
const replyTo = '_INBOX.gateway.1.2';
const call = {
  operation: 'desk.keep',
  replyTo,
  context: '{"requestId":"req_Ä"}',
  input: '{"params":{"id":"x"}}',
  body: Buffer.from('{"text":"a"}'),
};
const reply = { replyTo, reason: 'SPARK_NOT_FOUND', payload: Buffer.from('{"a":1}') };

/** Made by another program from the description of the form: other releases read and write these bytes. */
const golden = {
  call:
    '01b2b9c50ead76f605013f4edf6c06fae319a709ca7f9ba3f3ca75b00ede85f3ce00000016000000157b227265717565' +
    '73744964223a227265715fc384227d7b22706172616d73223a7b226964223a2278227d7d7b2274657874223a2261227d',
  reply:
    '0181fec0abafa8bc34f9c98b7669060bd69b7b47c5ca6ead2b5bad939ac0155caf0f535041524b5f4e4f545f464f554e' +
    '447b2261223a317d',
};

const received = (data: Uint8Array) => ({ data, subject: replyTo, reply: replyTo }) as Msg;
const bytes = fc.uint8Array({ maxLength: 2_000, size: 'large' });
const text = fc.string({ unit: 'binary', maxLength: 200 }).filter((value) => value.isWellFormed());

/** New buffers hold what was in the memory before. */
function soilMemory(): void {
  jest.spyOn(Buffer, 'allocUnsafe').mockImplementation((bytes) => Buffer.alloc(bytes, 0xaa));
}
afterEach(() => void jest.restoreAllMocks());

describe('OPEN-51: a call in a frame', () => {
  it('has the bytes of its description, whatever was in the memory before', () => {
    soilMemory();
    expect(Buffer.from(frameForm.encodeCall(mac, call).data).toString('hex')).toBe(golden.call);
    expect(frameForm.encodeCall(mac, call).headers).toBeUndefined();
  });

  it('is read as it was written, and signed', () => {
    fc.assert(
      fc.property(text, text, bytes, (context, input, body) => {
        const { data } = frameForm.encodeCall(mac, { ...call, context, input, body });
        const decoded = frameForm.decodeCall(received(data));
        expect(decoded && { ...decoded, body: Uint8Array.from(decoded.body) }).toEqual({
          context,
          input,
          body,
        });
        expect(frameForm.isCallSigned(mac, 'desk.keep', received(data), decoded!)).toBe(true);
        expect(frameForm.isCallSigned(mac, 'desk.tear', received(data), decoded!)).toBe(false);
      }),
    );
  });

  it('is none with fewer bytes than its lengths say, or another version', () => {
    const data = Buffer.from(golden.call, 'hex');
    const bodyOffset = data.length - call.body.length;
    for (let length = 0; length < bodyOffset; length += 1)
      expect(frameForm.decodeCall(received(data.subarray(0, length)))).toBeUndefined();
    for (const version of [0, 2, 0x7b])
      expect(
        frameForm.decodeCall(received(Buffer.concat([Buffer.of(version), data.subarray(1)]))),
      ).toBeUndefined();
    const long = Buffer.from(data);
    long.writeUInt32BE(0xffff_ffff, 33);
    expect(frameForm.decodeCall(received(long))).toBeUndefined();
  });
});

describe('OPEN-51: a reply in a frame', () => {
  it('has the bytes of its description, whatever was in the memory before', () => {
    soilMemory();
    expect(Buffer.from(frameForm.encodeReply(mac, reply).data).toString('hex')).toBe(golden.reply);
  });

  it.each(['', 'SPARK_NOT_FOUND'])('with the reason "%s" is read as it was written, and signed', (reason) => {
    fc.assert(
      fc.property(bytes, (payload) => {
        const { data } = frameForm.encodeReply(mac, { replyTo, reason, payload });
        const decoded = frameForm.decodeReply(received(data));
        expect(decoded && { ...decoded, payload: Uint8Array.from(decoded.payload) }).toEqual({
          reason,
          payload,
        });
        expect(frameForm.isReplySigned(mac, received(data), decoded!)).toBe(true);
      }),
    );
  });

  it('is none with fewer bytes than its reason has', () => {
    const data = Buffer.from(golden.reply, 'hex');
    for (let length = 0; length < data.length - reply.payload.length; length += 1)
      expect(frameForm.decodeReply(received(data.subarray(0, length)))).toBeUndefined();
  });
});
