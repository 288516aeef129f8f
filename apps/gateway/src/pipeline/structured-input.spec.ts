import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  KEY_NAME_MAX,
  namesInQuery,
  RETRIEVED_KEYS_MAX,
  STRUCTURED_BODY_BYTES_MAX,
} from '@vaultsvc/contracts/vaults';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { urlOf } from '@vaultsvc/testing/harness';
import { api } from '@vaultsvc/testing/http';
import { FakeServices, fakeServices } from '../testing/fake-services.js';
import { newApiKey, fixtureGateway, fixtureSettings } from '../testing/gateway-fixture.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
let fakes: FakeServices;
let url: string;
beforeAll(async () => {
  fakes = (await harness.start(fakeServices)).context.get(FakeServices);
  url = urlOf(await harness.start(fixtureGateway, fixtureSettings));
});

const caller = () => api(url, { key: newApiKey(fakes).key });
const VALIDATION = { status: 400, error: { code: 'VALIDATION_ERROR' } };

/** The answer, and the input of the handler. */
async function ask(search: string) {
  const answer = await caller().send({ method: 'GET', target: `/v1/named-widgets${search}` });
  return { ...answer, input: fakes.calls.at(-1)?.input as { keys?: string; ttl?: number } };
}
const keep = (body: string | Buffer, headers = {}) =>
  caller().send({ method: 'POST', target: '/v1/kept-widgets', body, headers });
/** The keys and values in the input of the handler. */
const kept = () => Object.entries((fakes.calls.at(-1) as { input: { data: object } }).input.data);

describe('STR-10 STR-11: key names in a query reach the handler with', () => {
  it.each([
    ['a blank as +', 'a+b', ['a b']],
    ['a plus as %2B', 'a%2Bb', ['a+b']],
    ['a comma as %2C, which separates as any comma does', 'a%2Cb,c', ['a', 'b', 'c']],
    ['NUL', 'a%00b', ['a\0b']],
    ['line breaks, which end a header', 'a%0D%0AVk-Mac:%20x', ['a\r\nVk-Mac: x']],
    [
      'characters beyond ASCII and beyond the first plane',
      'Schl%C3%BCssel,%E9%8D%B5,%F0%9F%94%91',
      ['Schlüssel', '鍵', '🔑'],
    ],
    ['separators that JSON does not escape', '%E2%80%A8%7F%C2%85', ['\u2028\x7f\x85']],
    ['blanks around, which headers would strip', '%20a%20,%09', [' a ', '\t']],
    ['the names of inherited properties', '__proto__,constructor,__proto__', ['__proto__', 'constructor']],
    ['quotes, backslashes and escapes', '%22%5C%5Cu0041%25', ['"\\\\u0041%']],
  ])('%s', async (_, keys, names) => {
    const { status, input } = await ask(`?keys=${keys}`);
    expect(status).toBe(200);
    expect(namesInQuery(input.keys as string)).toEqual(names);
  });

  it('a hundred names of 256 ASCII characters, with commas plain or escaped', async () => {
    const names = Array.from({ length: RETRIEVED_KEYS_MAX }, (_, i) => String(i).padStart(KEY_NAME_MAX, 'k'));
    for (const comma of [',', '%2C']) {
      const { status, input } = await ask(`?keys=${names.join(comma)}`);
      expect(status).toBe(200);
      expect(namesInQuery(input.keys as string)).toEqual(names);
    }
  });

  it('OPEN-55: at most 64 KiB in all, beyond which the request is an enveloped 400', async () => {
    const names = Array.from({ length: 100 }, (_, i) => `${i}${'%C3%A9'.repeat(200)}`);
    expect(await ask(`?keys=${names.join(',')}`)).toMatchObject(VALIDATION);
  });

  it.each([
    ['no name', '?keys='],
    ['an empty name', '?keys=a,,b'],
    ['a name that is not UTF-8', '?keys=%FF'],
    ['a lone surrogate', '?keys=%ED%A0%80'],
    ['an incomplete percent-encoding', '?keys=100%'],
    ['101 names', `?keys=${Array.from({ length: 101 }, (_, i) => i).join(',')}`],
    ['a name of 257 characters', `?keys=${'a'.repeat(257)}`],
    ['two lists', '?keys=a&keys=b'],
    ['ttl as a fraction', '?keys=a&ttl=60.5'],
    ['ttl in scientific notation', '?keys=a&ttl=1e3'],
    ['a ttl of 59 s', '?keys=a&ttl=59'],
    ['a ttl of more than a day', '?keys=a&ttl=86401'],
  ])('valid values only: %s is 400', async (_, search) => {
    expect(await ask(search)).toMatchObject(VALIDATION);
  });
});

describe('OPEN-19: the keys and values of a body', () => {
  it('may have the names of inherited properties', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '\0', ' ', '🔑'.repeat(256)];
    const data = names.map((name) => `${JSON.stringify(name)}:{"__proto__":1}`).join(',');
    expect((await keep(`{"name":"a","data":{${data}}}`)).status).toBe(200);
    expect(
      kept()
        .map(([name]) => name)
        .toSorted(),
    ).toEqual(names.toSorted());
    expect(kept().map(([, value]) => JSON.stringify(value))).toEqual(names.map(() => '{"__proto__":1}'));
  });

  it('ignore `__proto__` beside name and data', async () => {
    expect(await keep('{"name":"a","__proto__":{"data":{"a":"b"}}}')).toMatchObject(VALIDATION);
    expect((await keep('{"__proto__":{"name":"x"},"name":"a","data":{}}')).status).toBe(200);
    expect(fakes.calls.at(-1)?.input).toMatchObject({ name: 'a', data: {} });
  });

  it('use the last value of a repeated key, in the gateway as in the service', async () => {
    expect((await keep('{"name":"a","data":{"k":"1","j":true,"k":null}}')).status).toBe(200);
    expect(kept()).toEqual([
      ['k', null],
      ['j', true],
    ]);
    // An invalid value is refused although a valid one follows or precedes it.
    expect(await keep('{"name":"a","data":{"k":"1","k":1e999}}')).toMatchObject(VALIDATION);
  });

  it.each([
    ['a lone surrogate in a value', '{"k":"\\ud800"}'],
    ['a lone surrogate deep in a value', '{"k":[{"a":"\\udc00"}]}'],
    ['a lone surrogate in a name within a value', '{"k":{"\\ud800":1}}'],
    ['a lone surrogate in a name', '{"\\ud800":"v"}'],
    ['a number that overflows', '{"k":1e999}'],
    ['an integer of 20 digits', '{"k":12345678901234567890}'],
    ['an integer of 20 digits in a list', '{"k":[[-12345678901234567890]]}'],
    ['an empty name', '{"":"v"}'],
    ['a comma in a name', '{"a,b":"v"}'],
    ['a name of 257 characters', `{"${'a'.repeat(257)}":"v"}`],
    ['a list in place of keys', '[["k","v"]]'],
    ['a text in place of keys', '"k"'],
    ['nothing in place of keys', 'null'],
  ])('are refused with 400, without names in the answer, for %s', async (_, data) => {
    const answer = await keep(`{"name":"a","data":${data}}`);
    expect(answer).toMatchObject(VALIDATION);
    expect(answer.body.toString()).not.toContain('a,b');
  });

  it('STR-03: are accepted up to 10,000 keys', async () => {
    const data = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));
    expect((await keep(JSON.stringify({ name: 'a', data: data(10_000) }))).status).toBe(200);
    expect(kept()).toHaveLength(10_000);
    expect(await keep(JSON.stringify({ name: 'a', data: data(10_001) }))).toMatchObject(VALIDATION);
  });

  it('OPEN-06: are accepted up to 7 MiB, by declared and by counted length; one byte more is 413', async () => {
    const bodyOf = (bytes: number) => {
      const frame = '{"name":"a","data":{"k":""}}';
      return frame.replace('""', `"${'v'.repeat(bytes - frame.length)}"`);
    };
    const whole = await keep(bodyOf(STRUCTURED_BODY_BYTES_MAX));
    expect(whole.status).toBe(200);
    expect(String(kept()[0]?.[1])).toHaveLength(STRUCTURED_BODY_BYTES_MAX - 28);
    for (const headers of [{}, { 'Transfer-Encoding': 'chunked' }])
      expect(await keep(bodyOf(STRUCTURED_BODY_BYTES_MAX + 1), headers)).toMatchObject({
        status: 413,
        error: { code: 'PAYLOAD_TOO_LARGE' },
      });
  });
});
