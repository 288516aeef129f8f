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
