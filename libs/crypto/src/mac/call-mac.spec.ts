import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { CallMac, type CallParts, type ReplyParts } from './index.js';

const key = randomBytes(32);
const signer = new CallMac(key);
const call: CallParts = {
  operation: 'sparks.read',
  replyTo: '_INBOX.gateway.1.2',
  context: '{"credential":{"role":"member"}}',
  input: '{"params":{"spark_id":"spk_A"}}',
  body: Buffer.from('{"text":"a"}'),
};
const reply: ReplyParts = { replyTo: call.replyTo, reason: '', payload: Buffer.from('{"payload":"secret"}') };
const broken = (mac: string) => [undefined, '', mac.slice(0, -1), `${mac}A`, `${mac}=`];

describe('OPEN-51: the MAC of a call', () => {
  const mac = signer.signCall(call);

  it('is valid for the same parts under the same key', () => {
    expect(mac).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(new CallMac(key).verifyCall({ ...call }, mac)).toBe(true);
  });

  it.each<Partial<CallParts>>([
    { operation: 'sparks.delete' },
    { replyTo: '_INBOX.gateway.1.3' },
    { context: '{"credential":{"role":"admin"}}' },
    { input: '{"params":{"spark_id":"spk_B"}}' },
    { body: Buffer.from('{"text":"b"}') },
    { operation: 'sparks.read_', replyTo: 'INBOX.gateway.1.2' },
  ])('is refused for a call with %j', (changed) => {
    expect(signer.verifyCall({ ...call, ...changed }, mac)).toBe(false);
  });

  it('is refused under another key, when it is missing, and when it is cut', () => {
    expect(new CallMac(randomBytes(32)).verifyCall(call, mac)).toBe(false);
    for (const presented of broken(mac)) expect(signer.verifyCall(call, presented)).toBe(false);
  });

  it('is valid under both keys during a rotation, in which the new one signs', () => {
    const next = randomBytes(32);
    const rotating = new CallMac(next, key);
    expect(rotating.verifyCall(call, mac)).toBe(true);
    expect(new CallMac(next).verifyCall(call, rotating.signCall(call))).toBe(true);
  });

  it('needs keys of 256 bits', () => {
    expect(() => new CallMac(Buffer.alloc(31))).toThrow(RangeError);
    expect(() => new CallMac(key, Buffer.alloc(31))).toThrow(RangeError);
  });
});

describe('OPEN-51: the MAC of a reply', () => {
  const mac = signer.signReply(reply);

  it('is valid for the same parts under the same key', () => {
    expect(new CallMac(key).verifyReply({ ...reply }, mac)).toBe(true);
  });

  it.each<Partial<ReplyParts>>([
    { replyTo: '_INBOX.gateway.1.3' },
    { reason: 'SPARK_NOT_FOUND' },
    { payload: Buffer.from('{"payload":"other"}') },
  ])('is refused for a reply with %j', (changed) => {
    expect(signer.verifyReply({ ...reply, ...changed }, mac)).toBe(false);
  });

  it('is refused under another key, when it is missing, and when it is cut', () => {
    expect(new CallMac(randomBytes(32)).verifyReply(reply, mac)).toBe(false);
    for (const presented of broken(mac)) expect(signer.verifyReply(reply, presented)).toBe(false);
  });
});

describe('OPEN-51: the MAC of a frame', () => {
  const address = { operation: 'sparks.read', replyTo: '_INBOX.gateway.1.2' };
  const signed = Buffer.from('context, input and body');
  const ofCall = signer.signCallFrame(address, signed);
  const ofReply = signer.signReplyFrame(address.replyTo, signed);
  const verifyCall = (mac: Buffer, changed = {}, bytes = signed) =>
    signer.verifyCallFrame({ ...address, ...changed }, bytes, mac);
  const verifyReply = (mac: Buffer, replyTo = address.replyTo, bytes = signed) =>
    signer.verifyReplyFrame(replyTo, bytes, mac);

  it('is valid for the same call or reply under the same key', () => {
    expect([ofCall.length, ofReply.length]).toEqual([32, 32]);
    expect([verifyCall(ofCall), verifyReply(ofReply)]).toEqual([true, true]);
  });

  it('is refused for another operation, subject or content, and for the other kind', () => {
    const other = Buffer.from('context, input and bodY');
    expect([
      verifyCall(ofCall, { operation: 'sparks.delete' }),
      verifyCall(ofCall, { replyTo: '_INBOX.gateway.1.3' }),
      verifyCall(ofCall, { operation: 'sparks.read_', replyTo: 'INBOX.gateway.1.2' }),
      verifyCall(ofCall, {}, other),
      verifyCall(ofReply),
      verifyReply(ofReply, '_INBOX.gateway.1.3'),
      verifyReply(ofReply, address.replyTo, other),
      verifyReply(ofCall),
    ]).toEqual(Array.from({ length: 8 }, () => false));
  });

  it('is refused under another key, when it is missing, cut or longer', () => {
    const stranger = new CallMac(randomBytes(32));
    expect(stranger.verifyCallFrame(address, signed, ofCall)).toBe(false);
    expect(stranger.verifyReplyFrame(address.replyTo, signed, ofReply)).toBe(false);
    const longer = (mac: Buffer) => Buffer.concat([mac, Buffer.alloc(1)]);
    for (const change of [() => Buffer.alloc(0), (mac: Buffer) => mac.subarray(1), longer])
      expect([verifyCall(change(ofCall)), verifyReply(change(ofReply))]).toEqual([false, false]);
  });

  it('is valid under both keys during a rotation, in which the new one signs', () => {
    const next = randomBytes(32);
    const rotating = new CallMac(next, key);
    expect(rotating.verifyCallFrame(address, signed, ofCall)).toBe(true);
    expect(new CallMac(next).verifyCallFrame(address, signed, rotating.signCallFrame(address, signed))).toBe(
      true,
    );
  });
});
