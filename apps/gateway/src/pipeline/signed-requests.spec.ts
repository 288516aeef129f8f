import { beforeAll, describe, expect, it } from '@jest/globals';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { urlOf } from '@vaultsvc/testing/harness';
import { api } from '@vaultsvc/testing/http';
import { FakeServices, fakeServices } from '../testing/fake-services.js';
import { fixtureGateway, fixtureSettings } from '../testing/gateway-fixture.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
let fakes: FakeServices;
let url: string;

beforeAll(async () => {
  fakes = (await harness.start(fakeServices)).context.get(FakeServices);
  url = urlOf(await harness.start(fixtureGateway, fixtureSettings));
});

const post = (body: Buffer | string, headers: Record<string, string> = {}, query = '') =>
  api(url).send({ method: 'POST', target: `/v1/widget-events${query}`, headers, body });
const answer = (body: string, signed: object) => ({
  status: 200,
  data: { body, signed: JSON.stringify(signed) },
});

describe('TRAP 91: the request of a provider', () => {
  it('reaches the handler with each byte of its body, whatever its type and content', async () => {
    for (const body of ['{"a" : 1,\n "a":2}', 'a=b&c=d', '{', '\xff\xfe\0\x80', '']) {
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
      const got = await post(Buffer.from(body, 'latin1'), headers);
      expect(got).toMatchObject(answer(body, { target: '/v1/widget-events', headers: {} }));
    }
  });

  it('has its target and the headers that its contract names, and no others', async () => {
    const headers = { 'Stripe-Signature': 'v1=abc', 'X-Other': 'secret', Cookie: 'a=b' };
    expect(await post('{}', headers, '?a=%20b&a')).toMatchObject(
      answer('{}', { target: '/v1/widget-events?a=%20b&a', headers: { 'stripe-signature': 'v1=abc' } }),
    );
  });

  it('is no account: a credential in it is ignored', async () => {
    expect(await post('{}', { 'X-API-Key': 'vk_unknown' })).toMatchObject({ status: 200 });
    expect(fakes.calls.at(-1)?.context.credential).toEqual({ kind: 'provider' });
  });

  it('OPEN-06: is 413 above the limit of its operation', async () => {
    expect(await post('x'.repeat(1_001))).toMatchObject({
      status: 413,
      error: { code: 'PAYLOAD_TOO_LARGE' },
    });
  });
});
