import { describe, expect, it } from '@jest/globals';
import { Secret } from '@vaultsvc/config';
import fc from 'fast-check';
import { signedByChat } from '../testing/chat-workspace.js';
import { verifyChatSignature } from './chat-signature.js';

/** The example of the platform's documentation. */
const secret = new Secret('8f742231b10e8888abcd99yyyzzz85a5');
const AT_MS = 1_531_420_618_000;
const body =
  'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
const signature = 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503';

const verify = (headers: Record<string, string>, raw = body, nowMs = AT_MS) =>
  verifyChatSignature(secret, { headers }, Buffer.from(raw, 'latin1'), nowMs);
const named = (timestamp: string, given: string, prefix = 'x-chat') => ({
  [`${prefix}-request-timestamp`]: timestamp,
  [`${prefix}-signature`]: given,
});
const refusal = expect.objectContaining({ reason: 'AUTHENTICATION_ERROR' });

describe('CHT-12 OPEN-38: the signature of the chat platform', () => {
  it.each(['x-chat', 'x-slack'])('is that of the published example, in headers of %s', (prefix) => {
    expect(verify(named('1531420618', signature, prefix))).toBe(signature);
  });

  it.each([
    ['no headers', {}],
    ['no timestamp', { 'x-chat-signature': signature }],
    ['no signature', { 'x-chat-request-timestamp': '1531420618' }],
    ['a timestamp that is no number', named('1531420618x', signature)],
    ['a signature in upper case', named('1531420618', signature.toUpperCase())],
    ['a longer signature', named('1531420618', `${signature}0`)],
    ['an empty signature', named('1531420618', 'v0=')],
  ])('is refused with %s', (_, headers) => {
    expect(() => verify(headers)).toThrow(refusal);
  });

  it.each([-301, 301])('is refused when its clock differs by %i seconds', (seconds) => {
    expect(() => verify(named('1531420618', signature), body, AT_MS + seconds * 1_000)).toThrow(refusal);
  });

  it.each([-300, 300])('is accepted when its clock differs by %i seconds', (seconds) => {
    expect(verify(named('1531420618', signature), body, AT_MS + seconds * 1_000)).toBe(signature);
  });

  it('is refused while no signing secret is set', () => {
    const empty = signedByChat(body, '', AT_MS);
    const headers = named(empty.timestamp, empty.signature);
    expect(() => verifyChatSignature(new Secret(''), { headers }, Buffer.from(body), AT_MS)).toThrow(refusal);
  });

  it('is refused for each of 10,000 changes of what it covers', () => {
    const bytes = Buffer.from(body, 'latin1');
    const position = fc.nat({ max: bytes.length - 1 });
    const change = fc.oneof(
      fc.record({ at: position, xor: fc.integer({ min: 1, max: 255 }) }).map(({ at, xor }) => {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] as number) ^ xor;
        return { raw: changed, timestamp: '1531420618' };
      }),
      position.map((at) => ({
        raw: Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]),
        timestamp: '1531420618',
      })),
      fc.record({ at: position, byte: fc.nat({ max: 255 }) }).map(({ at, byte }) => ({
        raw: Buffer.concat([bytes.subarray(0, at), Buffer.from([byte]), bytes.subarray(at)]),
        timestamp: '1531420618',
      })),
      fc
        .integer({ min: -299, max: 299 })
        .filter((seconds) => seconds !== 0)
        .map((seconds) => ({ raw: bytes, timestamp: String(1_531_420_618 + seconds) })),
    );
    fc.assert(
      fc.property(change, ({ raw, timestamp }) => {
        expect(() =>
          verifyChatSignature(secret, { headers: named(timestamp, signature) }, raw, AT_MS),
        ).toThrow(refusal);
      }),
      { numRuns: 10_000 },
    );
  });
});
