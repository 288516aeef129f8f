import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError, decode, type AccountContext } from '@vaultsvc/contracts';
import {
  Entropy,
  entropyFormats,
  EntropyRequest,
  generateEntropy,
  type EntropyGeneration,
  type EntropyFormat,
} from '@vaultsvc/contracts/sparks';
import type { RunningService } from '@vaultsvc/service';
import { DataKeys, monthly } from '@vaultsvc/crypto/data-keys';
import { accountContext, reasonOf, rowsOf, startHarness, type Harness } from '@vaultsvc/testing/harness';
import { startKms, type TestServer } from '@vaultsvc/testing/servers';
import { until } from '@vaultsvc/testing/waiting';
import { sparks } from '../service-definition.js';
import { commitmentTo } from './generate-entropy.handler.js';

let kms: TestServer;
let harness: Harness;
let service: RunningService;
beforeAll(async () => {
  kms = await startKms();
  harness = await startHarness({ LOG_LEVEL: 'silent', KMS_ENDPOINT: kms.url });
  service = await harness.start(sparks);
});
afterEach(() => setFault('none'));
afterAll(async () => {
  await harness.stop();
  await kms.stop();
});

const setFault = (mode: string, ms?: number) =>
  fetch(`${kms.url}/_fault`, { method: 'POST', body: JSON.stringify({ mode, ms }) });
const caller = accountContext();
/** Validates as the gateway does, then calls. */
const generate = (body: object, context: AccountContext = caller): Promise<Entropy> => {
  const input = { body: decode(EntropyRequest, body) };
  return harness.bus.call(generateEntropy, input, context);
};
const errorCodeOf = async (body: object, context = caller) => {
  try {
    await generate(body, context);
    return 'no error';
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
};
interface Told extends Record<string, unknown> {
  name: string;
  account_id: string;
  request_id: string;
  payload: EntropyGeneration;
}
const publishedEvents = (column: "payload->>'reference_id'" | 'account_id', value: string) =>
  rowsOf<Told>(
    service,
    `SELECT name, account_id, request_id, payload FROM recorded_events WHERE name = 'sparks.entropy-generated' AND ${column} = $1`,
    [value],
  );
const factOf = async ({ reference_id }: Entropy) => {
  const rows = await publishedEvents("payload->>'reference_id'", reference_id);
  expect(rows).toHaveLength(1);
  return rows[0] as Told;
};

/** The shape of a value of each format for a request of `n`, and the num_bytes of the response. */
const table: Record<EntropyFormat, { looks: (n: number) => RegExp; says: (n: number) => number }> = {
  hex: { looks: (n) => new RegExp(`^[0-9a-f]{${2 * n}}$`), says: (n) => n },
  base64: { looks: () => /^[A-Za-z0-9+/]+={0,2}$/, says: (n) => n },
  base64url: { looks: () => /^[\w-]+$/, says: (n) => n },
  alphanumeric: { looks: (n) => new RegExp(`^[A-Z0-9]{${n}}$`), says: (n) => 2 * n },
  'alphanumeric-mixed': { looks: (n) => new RegExp(`^[A-Za-z0-9]{${n}}$`), says: (n) => 2 * n },
  password: {
    looks: (n) => new RegExp(`^[A-Za-z0-9!@#$%^&*()_+\\-=[\\]{}|;:,.<>?]{${n}}$`),
    says: (n) => 2 * n,
  },
  numeric: { looks: (n) => new RegExp(`^[0-9]{${n}}$`), says: (n) => n },
  uuid: {
    looks: () => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    says: () => 16,
  },
  bytes: { looks: () => /^\[\d{1,3}(,\d{1,3})*\]$/, says: (n) => n },
};
const isSampled = (format: EntropyFormat) => /^(alphanumeric|password)/.test(format);
const largest = (format: EntropyFormat) => (isSampled(format) ? 512 : 1_024);
const asText = ({ value }: Entropy) => (typeof value === 'string' ? value : JSON.stringify(value));

describe('ENT-06 ENT-07 ENT-08 ENT-09 ENT-10 ENT-11 ENT-12 ENT-13 ENT-14 TRAP 77: POST /v1/entropy/generate returns', () => {
  it.each(entropyFormats)('%s, from one byte or character to the maximum', async (format) => {
    for (const n of [1, 2, 16, 33, largest(format)]) {
      const answer = await generate({ format, num_bytes: n });
      expect(asText(answer)).toMatch(table[format].looks(n));
      expect(answer).toMatchObject({ format, num_bytes: table[format].says(n) });
      expect(decode(Entropy, answer)).toMatchObject(answer);
    }
  });

  it('ENT-14: exactly these num_bytes for a request of sixteen', async () => {
    const says = await Promise.all(
      entropyFormats.map(async (format) => [format, (await generate({ format, num_bytes: 16 })).num_bytes]),
    );
    expect(Object.fromEntries(says)).toEqual({
      hex: 16,
      base64: 16,
      base64url: 16,
      alphanumeric: 32,
      'alphanumeric-mixed': 32,
      password: 32,
      numeric: 16,
      uuid: 16,
      bytes: 16,
    });
  });

  it.each(['hex', 'base64', 'base64url'] as const)(
    'ENT-07: a value of format %s that decodes to as many bytes as requested',
    async (format) => {
      for (const n of [1, 2, 3, 31, 1_024]) {
        const { value } = await generate({ format, num_bytes: n });
        const bytes = Buffer.from(value as string, format);
        expect(bytes).toHaveLength(n);
        expect(bytes.toString(format)).toBe(value);
      }
    },
  );

  it('ENT-13: bytes as integers from 0 to 255, as many as requested', async () => {
    const { value } = await generate({ format: 'bytes', num_bytes: 1_024 });
    expect(value).toHaveLength(1_024);
    for (const byte of value as number[])
      expect(Number.isInteger(byte) && byte >= 0 && byte <= 255).toBe(true);
    expect(Math.max(...(value as number[]))).toBeGreaterThan(200);
  });

  it('ENT-02: hex by default', async () => {
    expect(await generate({ num_bytes: 4 })).toMatchObject({ format: 'hex' });
  });
});

describe('ENT-05 ENV-19: the response of POST /v1/entropy/generate', () => {
  it('has only value, format, num_bytes and reference_id, different each time', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => generate({ num_bytes: 16 })));
    for (const answer of answers) {
      expect(Object.keys(answer).sort()).toEqual(['format', 'num_bytes', 'reference_id', 'value']);
      expect(answer.reference_id).toMatch(/^ent_[0-9A-Za-z]{22}$/);
    }
    expect(new Set(answers.map(({ value }) => value)).size).toBe(20);
    expect(new Set(answers.map(({ reference_id }) => reference_id)).size).toBe(20);
  });
});

describe('ENT-02 ENT-03 ENT-12 TRAP 67 TRAP 78: POST /v1/entropy/generate rejects with 400', () => {
  it.each([
    {},
    { num_bytes: 0 },
    { num_bytes: -1 },
    { num_bytes: 1_025 },
    { num_bytes: 1.5 },
    { num_bytes: '16' },
    { num_bytes: null },
    { num_bytes: 16, format: 'HEX' },
    { num_bytes: 16, format: '' },
    { num_bytes: 16, format: null },
    { num_bytes: 16, format: '__proto__' },
    { num_bytes: 16, format: 'toString' },
    { num_bytes: 16, with_commitment: 'true' },
    { format: 'uuid' },
    { format: 'uuid', num_bytes: 0 },
    { format: 'uuid', num_bytes: 1_025 },
    { format: 'numeric', num_bytes: 1_025 },
  ])('%j', async (body) => {
    expect(await errorCodeOf(body)).toBe('VALIDATION_ERROR');
  });

  it.each(['alphanumeric', 'alphanumeric-mixed', 'password'] as const)(
    'ENT-04: more than 512 characters of %s, naming the field',
    async (format) => {
      await expect(generate({ format, num_bytes: 513 })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { fields: [{ field: 'num_bytes', message: `must be at most 512 for ${format}` }] },
      });
    },
  );
});

describe('AMB-13 ENT-18: the plan and the bandwidth of the account', () => {
  const poor = (pools: AccountContext['pools']) => accountContext({}, { pools });
  const broke = poor({ plan: 'none', exhausted: [] });
  const empty = poor({ plan: 'active', exhausted: ['bandwidth'] });

  it('answer 402 PLAN_REQUIRED without a plan, 402 QUOTA_EXCEEDED with an exhausted pool', async () => {
    expect(await errorCodeOf({ num_bytes: 1 }, broke)).toBe('PLAN_REQUIRED');
    await expect(generate({ num_bytes: 1 }, empty)).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
      details: { resource: 'bandwidth', action_required: 'add_bandwidth_block' },
    });
  });

  it('do not include the storage pool', async () => {
    expect(await errorCodeOf({ num_bytes: 1 }, poor({ plan: 'active', exhausted: ['storage'] }))).toBe(
      'no error',
    );
  });

  it('are checked after the input; an error draws no bytes and publishes nothing', async () => {
    expect(await errorCodeOf({ format: 'password', num_bytes: 513 }, broke)).toBe('VALIDATION_ERROR');
    await setFault('down');
    expect(await errorCodeOf({ num_bytes: 1 }, broke)).toBe('PLAN_REQUIRED');
    expect(await publishedEvents('account_id', broke.credential.accountId)).toEqual([]);
  });
});

describe('ENT-17 TRAP 80: POST /v1/entropy/generate while key management is down', () => {
  // Until the circuit breaker closes, after a second.
  afterAll(async () => {
    await setFault('none');
    await until(async () => (await errorCodeOf({ num_bytes: 1 })) === 'no error');
  });

  it.each(entropyFormats)('answers 500 CRYPTOGRAPHIC_ERROR and publishes nothing for %s', async (format) => {
    const fresh = accountContext();
    await setFault('down');
    await expect(generate({ format, num_bytes: 8 }, fresh)).rejects.toMatchObject({
      code: 'CRYPTOGRAPHIC_ERROR',
      status: 500,
    });
    expect(await publishedEvents('account_id', fresh.credential.accountId)).toEqual([]);
  });

  it('opens only its own circuit breaker: data keys work as soon as key management is back', async () => {
    await setFault('down');
    for (let call = 0; call < 3; call += 1) await errorCodeOf({ num_bytes: 1 }); // Three attempts each; the circuit opens after five.
    await setFault('none');
    const keys = service.context.get(DataKeys);
    await expect(keys.current('links', monthly, (key) => key.length)).resolves.toBe(32);
  });
});

describe('ENT-16 ENT-20 MISC-03: the event before the response', () => {
  it('has actor, format, byte counts and provenance, never the value', async () => {
    const before = Math.floor(Date.now() / 1_000);
    const answer = await generate({ format: 'password', num_bytes: 200 });
    const row = await factOf(answer);
    const { accountId, credentialId } = caller.credential;
    expect(row).toEqual({
      name: 'sparks.entropy-generated',
      account_id: accountId,
      request_id: caller.requestId,
      payload: {
        reference_id: answer.reference_id,
        account_id: accountId,
        actor_type: 'api_key',
        actor_id: credentialId,
        format: 'password',
        num_bytes: 400,
        bytes: 100 + Buffer.byteLength(JSON.stringify(answer)),
        provenance: {
          kms_key_id: 'alias/vk-root',
          kms_request_ids: [expect.stringMatching(/^[0-9a-f-]{36}$/)],
          sources: ['kms', 'local'],
          generated_at: expect.any(Number),
          commitment: null,
        },
      },
    });
    expect(row.payload.provenance.generated_at - before).toBeGreaterThanOrEqual(0);
    expect(row.payload.provenance.generated_at - before).toBeLessThan(20);
    expect(JSON.stringify(row)).not.toContain(answer.value as string);
  });

  it('has the user of a session as its actor', async () => {
    const context = accountContext({ kind: 'session', userId: `usr_${'u'.repeat(22)}` });
    const { payload } = await factOf(await generate({ num_bytes: 1 }, context));
    expect(payload).toMatchObject({ actor_type: 'session', actor_id: context.credential.userId });
  });

  it('ENT-20: counts the bytes of request and response, hence more for more random data', async () => {
    const bytesOf = async (body: object, requestBytes: number) =>
      (await factOf(await generate(body, accountContext({}, { requestBytes })))).payload.bytes;
    const [small, large, padded] = await Promise.all([
      bytesOf({ num_bytes: 10 }, 16),
      bytesOf({ num_bytes: 1_000 }, 16),
      bytesOf({ num_bytes: 10 }, 1_016),
    ]);
    expect(large - small).toBe(2 * 990 + 2);
    expect(padded - small).toBe(1_000);
  });

  it('has every request id of key management: 1,024 digits need at least two', async () => {
    const { payload } = await factOf(await generate({ format: 'numeric', num_bytes: 1_024 }));
    expect(payload.provenance.kms_request_ids.length).toBeGreaterThan(1);
  });

  it('is required: without it the call fails', async () => {
    const fresh = accountContext();
    await rowsOf(
      service,
      `ALTER TABLE outbox ADD CONSTRAINT refused CHECK (account_id <> '${fresh.credential.accountId}') NOT VALID`,
    );
    expect(await reasonOf(generate({ num_bytes: 16 }, fresh))).toBe('INTERNAL_ERROR');
    await rowsOf(service, 'ALTER TABLE outbox DROP CONSTRAINT refused');
    expect(await reasonOf(generate({ num_bytes: 16 }, fresh))).toBe('none');
  });

  it('is not published after the deadline of the caller', async () => {
    const late = accountContext();
    const body = decode(EntropyRequest, { num_bytes: 16 });
    await setFault('slow', 700);
    const given = harness.bus.call(generateEntropy, { body }, { ...late, deadlineMs: Date.now() + 300 });
    await expect(given).rejects.toThrow();
    await generate({ num_bytes: 16 }); // Key management answers this call after the late one.
    expect(await publishedEvents('account_id', late.credential.accountId)).toEqual([]);
  });

  it('requires the request length: without it the call fails', async () => {
    expect(await reasonOf(generate({ num_bytes: 1 }, accountContext({}, { requestBytes: undefined })))).toBe(
      'INTERNAL_ERROR',
    );
  });
});

/** Runs the script of docs/entropy.md on a response and returns its output. */
async function runPrinted(answer: Entropy): Promise<string> {
  const page = readFileSync(new URL('../../../../docs/entropy.md', import.meta.url), 'utf8');
  const script = /^```js\n(.*?)^```$/ms.exec(page)?.[1] ?? '';
  const running = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    env: {},
  });
  running.child.stdin?.end(JSON.stringify(answer));
  return (await running).stdout.trim();
}

describe('ENT-16: commitments', () => {
  it.each(entropyFormats)('match value, opening and reference, and no other value: %s', async (format) => {
    const answer = await generate({ format, num_bytes: 16, with_commitment: true });
    const { payload } = await factOf(answer);
    expect(answer.opening).toMatch(/^[0-9a-f]{64}$/);
    const opening = Buffer.from(answer.opening as string, 'hex');
    expect(payload.provenance.commitment).toMatch(/^[0-9a-f]{64}$/);
    expect(commitmentTo(answer, opening)).toBe(payload.provenance.commitment);
    const other = await generate({ format, num_bytes: 16 });
    expect(commitmentTo({ ...answer, value: other.value }, opening)).not.toBe(payload.provenance.commitment);
    expect(JSON.stringify(payload)).not.toContain(answer.opening);
    expect(payload.bytes).toBe(100 + Buffer.byteLength(JSON.stringify(answer)));
  });

  it.each(['password', 'bytes'] as const)(
    'are reproduced by the script of docs/entropy.md as printed: %s',
    async (format) => {
      const answer = await generate({ format, num_bytes: 300, with_commitment: true });
      const { payload } = await factOf(answer);
      expect(await runPrinted(answer)).toBe(payload.provenance.commitment);
    },
  );

  it('have a new opening for each response', async () => {
    const [one, two] = await Promise.all([
      generate({ num_bytes: 1, with_commitment: true }),
      generate({ num_bytes: 1, with_commitment: true }),
    ]);
    expect(one.opening).not.toBe(two.opening);
  });
});
