import { describe, expect, it } from '@jest/globals';
import { PrivateAddressError, publicHost, publicLookup } from './public-lookup.js';

function resolved(name: string, all: boolean): Promise<NodeJS.ErrnoException | null> {
  return new Promise((resolve) => publicLookup(name, { all }, (error) => resolve(error)));
}

describe('AUD-16 NTF-43: a request to a host that a caller chose', () => {
  it.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '0x7f.1', '2130706433', '169.254.169.254'])(
    'is refused for a private address: %s',
    (host) => {
      expect(() => publicHost(new URL(`https://${host}/`))).toThrow(PrivateAddressError);
    },
  );

  it('is refused for a name that resolves to a private address, whether one or all are asked for', async () => {
    for (const all of [true, false])
      expect(await resolved('localhost', all)).toMatchObject({ code: 'PRIVATE_ADDRESS' });
  });

  it('reports an unknown name by the code of the resolver', async () => {
    expect(await resolved('sink.invalid', true)).toMatchObject({
      code: expect.stringMatching(/^E[A-Z_]+$/),
    });
  });
});
