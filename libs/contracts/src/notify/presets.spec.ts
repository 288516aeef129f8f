import { describe, expect, it } from '@jest/globals';
import { decode } from '../core/decode.js';
import { notifyPresets } from './presets.js';
import { NewSend } from './send.js';

const base = { recipients: ['ada@example.com'], content: { payload: 'x' } };

describe('the presets of notifications', () => {
  it('NTF-31: fix the proof, the action and the channels of each kind of message', () => {
    const table = Object.entries(notifyPresets).map(([name, { policy, ...rest }]) => [
      name,
      policy.verification_level,
      policy.interaction,
      'channels' in rest ? rest.channels.join() : 'configuration',
    ]);
    expect(table).toEqual([
      ['alert', 'none', 'view', 'configuration'],
      ['secureMessage', 'identifier', 'view', 'push,email'],
      ['conversation', 'identifier', 'reply', 'in_app,push,email'],
      ['approval', 'passkey', 'approve', 'in_app,push,email'],
      ['signatureRequest', 'passkey', 'sign', 'in_app,push,email'],
    ]);
  });

  it.each(Object.entries(notifyPresets))('NTF-31: %s is a part of a valid send', (_, preset) => {
    expect(decode(NewSend, { ...base, ...preset })).toMatchObject(preset);
  });

  it('NTF-32: have no effect as a member of a request', () => {
    expect(decode(NewSend, { ...base, preset: 'approval' })).toEqual(decode(NewSend, base));
  });
});
