import { describe, expect, it } from '@jest/globals';
import { namedKeys } from '@vaultsvc/config';
import { CallMac } from '@vaultsvc/crypto/mac';
import { EventSigner, EventVerifier } from '@vaultsvc/crypto/signature';
import { completeKeys, keySettings, rotation, type Keys, shardsOf } from './keys.ts';
import { callPairs, readTopology } from './topology.ts';

const topology = readTopology();
const keys = completeKeys(topology);
const settingsOf = (service: string, of = keys) => keySettings(topology, of, service);
const reply = { replyTo: '_INBOX.gateway.1.2', reason: '', payload: Buffer.from('x') };

function macOf(service: string, pair: string, of: Keys): CallMac {
  const versions = namedKeys(settingsOf(service, of)['CALL_KEYS'] ?? '').get(pair);
  if (!versions) throw new Error(`${service} has no key ${pair}`);
  return new CallMac(...versions);
}

function verifierOf(consumer: string, source: string, of: Keys): EventVerifier {
  return new EventVerifier(namedKeys(settingsOf(consumer, of)['EVENT_KEYS'] ?? '').get(source) ?? []);
}

function signerOf(source: string, of: Keys): EventSigner {
  return new EventSigner(Buffer.from(settingsOf(source, of)['EVENT_SIGNING_KEY'] ?? '', 'base64'));
}

describe('OPEN-51: the keys of the messages', () => {
  it('are different for each pair of services, and both services of a pair have its key', () => {
    const all = Object.values(keys.calls).flat();
    expect(new Set(all).size).toBe(callPairs(topology).length);
    for (const { caller, called } of callPairs(topology)) {
      const pair = `${caller}-${called}`;
      const mac = macOf(caller, pair, keys).signReply(reply);
      expect(macOf(called, pair, keys).verifyReply(reply, mac)).toBe(true);
    }
  });

  it.each(Object.keys(topology))('of %s are its own alone', (service) => {
    const text = Object.values(settingsOf(service)).join();
    const foreign = [
      ...Object.entries(keys.calls).flatMap(([pair, own]) => (pair.split('-').includes(service) ? [] : own)),
      ...Object.entries(keys.events).flatMap(([source, own]) => (source === service ? [] : own)),
      ...Object.entries(keys.nats).flatMap(([name, own]) =>
        name === service ? [] : own.map(({ seed }) => seed),
      ),
    ];
    expect(foreign.filter((key) => text.includes(key))).toEqual([]);
  });

  it('AUD-14: of the transparency log are those of reporting alone, and both sign while it changes', () => {
    expect(Object.keys(topology).filter((service) => 'AUDIT_LOG_KEYS' in settingsOf(service))).toEqual([
      'reporting',
    ]);
    const keysAt = (step: Keys) => settingsOf('reporting', step)['AUDIT_LOG_KEYS']?.split(',') ?? [];
    const begun = rotation.begin(keys);
    const switched = rotation.switch(begun);
    const [old = '', next = ''] = keysAt(begun);
    expect([keysAt(keys), keysAt(switched)]).toEqual([[old], [next, old]]);
    expect(keysAt(rotation.end(switched))).toEqual([next]);
    const { logs, ...earlier } = keys;
    expect(logs).toBeDefined();
    expect(keysAt(completeKeys(topology, earlier))).toHaveLength(1);
  });

  it('are kept when a release needs more of them', () => {
    const { sparks, ...others } = topology;
    const earlier = completeKeys(others);
    const later = completeKeys(topology, earlier);
    expect(sparks).toBeDefined();
    expect(later.calls).toMatchObject(
      Object.fromEntries(
        callPairs(others).map(({ caller, called }) => {
          const pair = `${caller}-${called}`;
          return [pair, earlier.calls[pair]];
        }),
      ),
    );
    expect(later.nats['vaults']).toEqual(earlier.nats['vaults']);
    expect(Object.keys(later.calls)).toHaveLength(callPairs(topology).length);
  });

  it('MISC-01: keep the shards of earlier runs, whose events NATS would withhold otherwise', () => {
    const first = completeKeys(topology, undefined, shardsOf('0,1'));
    const second = rotation.begin(completeKeys(topology, first, shardsOf('0, 7')));
    expect(second.shards).toEqual([0, 1, 7]);
    expect(completeKeys(topology, second).shards).toEqual([0, 1, 7]);
    expect(completeKeys(topology).shards).toBeUndefined();
  });

  it.each(['1', '', '0,', '0,-1', '0,3844', '0,x', '0;1'])('MISC-01: have no shards %j', (text) => {
    expect(() => shardsOf(text)).toThrow(/--shards is 0 and other numbers up to 3843/);
  });

  it('are valid between services of one step of a rotation and of the next one', () => {
    const steps = [keys];
    for (const step of [rotation.begin, rotation.switch, rotation.end])
      steps.push(step(steps.at(-1) ?? keys));
    for (const [i, before] of steps.entries()) {
      const after = steps[i + 1] ?? before;
      for (const [signing, verifying] of [
        [before, after],
        [after, before],
      ] as const) {
        const mac = macOf('gateway', 'gateway-auth', signing).signReply(reply);
        expect(macOf('auth', 'gateway-auth', verifying).verifyReply(reply, mac)).toBe(true);
        const signature = signerOf('sparks', signing).sign('evt', reply.payload);
        expect(verifierOf('reporting', 'sparks', verifying).verify('evt', reply.payload, signature)).toBe(
          true,
        );
      }
    }
    const last = steps.at(-1) ?? keys;
    const old = macOf('gateway', 'gateway-auth', keys).signReply(reply);
    expect(macOf('auth', 'gateway-auth', last).verifyReply(reply, old)).toBe(false);
  });
});
