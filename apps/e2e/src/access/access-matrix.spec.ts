import { beforeAll, describe, expect, it } from '@jest/globals';
import type { PublicOperation } from '@vaultsvc/contracts';
import { operations } from '@vaultsvc/contracts/catalog';
import { mintToken } from '@vaultsvc/crypto/tokens';
import { accountContext } from '@vaultsvc/testing/harness';
import { api } from '@vaultsvc/testing/http';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { callersOf, type Caller } from './callers.js';
import { answerFor, shown, verdictOf, welcomeOf } from './expected-answer.js';
import { originOf } from './origin-of.js';
import { openingOf, sampleOf } from './samples.js';
import { newTenant, type Tenant } from './tenant.js';
import { titled } from './titles.js';

const platform = usePlatform();
let tenant: Tenant;
let callers: Caller[];

beforeAll(async () => {
  tenant = await newTenant(platform);
  callers = await callersOf(tenant);
});

const isRefused = (op: PublicOperation) => (caller: Caller) => verdictOf(op, caller.standing) !== 'success';

/** What one caller gets, as a line that says what is wrong with it; nothing when it is as it should be. */
async function deviation(op: PublicOperation, caller: Caller, input: object): Promise<string[]> {
  const expected = answerFor(op, verdictOf(op, caller.standing));
  const client = api(originOf(platform, op), await caller.credentials());
  const got = await client
    .call(op, input, openingOf(input).headers)
    .then(shown, (error: unknown) => String(error));
  return got === expected ? [] : [`${caller.name}: expected ${expected}, got ${got}`];
}

describe('AUTH-32 AUTH-33 AUTH-34 AMB-17 AMB-19 AMB-20 AMB-44 MISC-07 OPEN-07: every operation answers every caller as its contract says', () => {
  it.each(titled(operations))('$operation', async ({ op }) => {
    const makeInput = sampleOf(op);
    const refused = callers.filter(isRefused(op));
    const welcome = callers.filter((caller) => !refused.includes(caller));
    // Refused calls must change nothing: the first that is not refused finds what they were aimed at.
    const aim = await makeInput(tenant);
    const deviations = (await Promise.all(refused.map((caller) => deviation(op, caller, aim)))).flat();
    for (const [index, caller] of welcome.entries())
      deviations.push(...(await deviation(op, caller, index === 0 ? aim : await makeInput(tenant))));
    expect(deviations).toEqual([]);
  });
});

/** A call that is wrong in every part: its id, its query, and a body that is no object or no JSON at all. */
const wrong = ({ http }: PublicOperation, body: string | undefined) => ({
  method: http.method,
  target: `${http.path.replace(/\{\w+\}/, 'nonsense')}?limit=nonsense&cursor=nonsense`,
  body,
});

const guarded = operations.filter(({ access }) => access.credential !== 'none');

describe('AMB-13 ENV-40: who may not call learns nothing else about the request', () => {
  it.each(titled(guarded))('$operation', async ({ op }) => {
    const lines = async (caller: Caller, body: string | undefined, expected: string) => {
      const client = api(originOf(platform, op), await caller.credentials());
      const got = shown(await client.send(wrong(op, body)));
      return got === expected ? [] : [`${caller.name}, ${body}: expected ${expected}, got ${got}`];
    };
    const deviations = callers.filter(isRefused(op)).map(async (caller) => {
      const verdict = verdictOf(op, caller.standing);
      // Between credential and role stands the parser: bad JSON is 400 to whoever has a good credential.
      const ofBadJson = op.body && verdict === 'FORBIDDEN' ? '400 VALIDATION_ERROR' : answerFor(op, verdict);
      return [
        ...(await lines(caller, op.body && '[]', answerFor(op, verdict))),
        ...(await lines(caller, op.body && '{', ofBadJson)),
      ];
    });
    expect((await Promise.all(deviations)).flat()).toEqual([]);
  });
});

describe('AUTH-34: a service that is called past the gateway refuses a member too', () => {
  const ofAdmins = operations.filter(({ access }) => access.role === 'admin');

  it.each(titled(ofAdmins))('$operation', async ({ op }) => {
    const { accountId, ownerSession } = tenant;
    const member = accountContext({
      kind: 'session',
      accountId,
      userId: ownerSession.subject,
      credentialId: ownerSession.sessionId,
      role: 'member',
    });
    const input = await sampleOf(op)(tenant);
    const call = platform.harness.bus.call(op, input, member);
    await expect(call).rejects.toMatchObject({ reason: 'ROLE_REQUIRED' });
    expect((await tenant.owner.call(op, input)).status).toBe(op.http.status);
  });
});

describe('VAT-01 VAT-02 VAT-04 VAT-08: an operation in an open vault needs a token that may do it', () => {
  const inVaults = operations.filter(({ access }) => access.vat !== undefined);

  it.each(titled(inVaults))('$operation', async ({ op }) => {
    const input = await sampleOf(op)(tenant);
    const { headers, readerHeaders } = openingOf(input);
    const answerTo = async (given?: Record<string, string>, client = tenant.owner) =>
      shown(await client.call(op, input, given));
    const missing = op.access.vatMissing ?? 'AUTHENTICATION_ERROR';
    for (const none of [undefined, { 'X-Vault-Access-Token': '' }])
      expect(await answerTo(none)).toMatch(new RegExp(`^4\\d\\d ${missing}$`));
    for (const unknown of ['vat_', 'x', mintToken('vat').text])
      expect(await answerTo({ 'X-Vault-Access-Token': unknown })).toBe('401 AUTHENTICATION_ERROR');
    expect(await answerTo(headers, api(platform.url))).toBe('401 AUTHENTICATION_ERROR');
    const ofReader = op.access.vat === 'read' ? welcomeOf(op) : '403 FORBIDDEN';
    expect(await answerTo(await readerHeaders?.())).toBe(ofReader);
    expect(await answerTo(headers)).toBe(welcomeOf(op));
  });
});

/** Method and path of the operations for which this holds, as the requirements name them. */
const those = (holds: (op: PublicOperation) => boolean) =>
  operations
    .filter(holds)
    .map(({ http }) => `${http.method} ${http.path}`)
    .toSorted();

describe('the contracts themselves say what the requirements say', () => {
  it('MISC-07 OPEN-33 OPEN-56: these need no credential, and all others do', () => {
    expect(those(({ access }) => access.credential === 'none')).toEqual([
      'GET /.well-known/jwks.json',
      'GET /v1/health',
      'POST /v1/auth/identity/token',
      'POST /v1/auth/identity/verify',
      'POST /v1/auth/logout',
      'POST /v1/auth/refresh',
      'POST /{link_code}/verify/confirm',
      'POST /{link_code}/verify/start',
    ]);
  });

  it('OPEN-25: whoever opens a link may show a session, and need not', () => {
    expect(those(({ access }) => access.credential === 'optional')).toEqual(['POST /{link_code}/burn']);
  });

  it('AUTH-09 AUTH-33 AMB-19: an identity-only session is for completing the sign-up', () => {
    expect(those(({ access }) => access.credential === 'identity-only')).toEqual([
      'POST /v1/auth/complete-signup',
    ]);
  });

  it('AMB-17 DOM-04: these are for people, not for API keys', () => {
    expect(those(({ access }) => access.credential === 'session')).toEqual([
      'DELETE /v1/domains/{domain}',
      'GET /v1/profile',
      'PATCH /v1/profile',
      'POST /v1/domains',
      'POST /v1/domains/challenge',
    ]);
  });

  it('AUTH-34 DVK-01 OPEN-30 OPEN-33: these need an admin or an owner', () => {
    expect(those(({ access }) => access.role === 'admin')).toEqual([
      'DELETE /v1/account/logo',
      'DELETE /v1/api-keys/{api_key_id}',
      'DELETE /v1/domains/{domain}',
      'DELETE /v1/users/{user_id}',
      'DELETE /v1/vaults/{vault_id}/dvaks/{last4}',
      'GET /v1/vaults/{vault_id}/dvaks',
      'PATCH /v1/users/{user_id}',
      'POST /v1/api-keys',
      'POST /v1/domains',
      'POST /v1/domains/challenge',
      'POST /v1/users',
      'POST /v1/vaults/{vault_id}/dvaks',
      'PUT /v1/account',
      'PUT /v1/settings',
    ]);
  });

  it('OPEN-11 VAT-02 VAT-08 AMB-57: these need an open vault, and the second of these one that may be written to', () => {
    expect(those(({ access }) => access.vat === 'read')).toEqual([
      'GET /v1/products/structured-ingots/{vault_id}',
      'GET /v1/products/structured-ingots/{vault_id}/{ingot_id}',
      'GET /v1/vaults/{vault_id}/folders',
      'GET /v1/vaults/{vault_id}/folders/{folder_id}',
      'GET /v1/vaults/{vault_id}/ingots',
      'GET /v1/vaults/{vault_id}/ingots/search',
      'GET /v1/vaults/{vault_id}/ingots/{ingot_id}',
      'GET /v1/vaults/{vault_id}/ingots/{ingot_id}/sharing',
      'POST /v1/vaults/{vault_id}/ingots/{ingot_id}/download',
    ]);
    expect(those(({ access }) => access.vat === 'write')).toEqual([
      'DELETE /v1/products/structured-ingots/{vault_id}/{ingot_id}',
      'DELETE /v1/vaults/{vault_id}/folders/{folder_id}',
      'DELETE /v1/vaults/{vault_id}/ingots/{ingot_id}',
      'DELETE /v1/vaults/{vault_id}/ingots/{ingot_id}/sharing/invite/{invite_id}',
      'PATCH /v1/products/structured-ingots/{vault_id}/{ingot_id}',
      'PATCH /v1/vaults/{vault_id}/folders/{folder_id}',
      'PATCH /v1/vaults/{vault_id}/ingots/{ingot_id}',
      'POST /v1/products/structured-ingots/{vault_id}',
      'POST /v1/vaults/{vault_id}/folders',
      'POST /v1/vaults/{vault_id}/ingots',
      'POST /v1/vaults/{vault_id}/ingots/{ingot_id}/sharing/invite',
      'POST /v1/vaults/{vault_id}/ingots/{ingot_id}/sharing/invite/{invite_id}/resend',
      'POST /v1/vaults/{vault_id}/ingots/{ingot_id}/sparklinks',
      'POST /v1/vaults/{vault_id}/ingots/{ingot_id}/sparklinks/{code}/deliver',
      'PUT /v1/vaults/{vault_id}/ingots/{ingot_id}',
      'PUT /v1/vaults/{vault_id}/ingots/{ingot_id}/sharing',
    ]);
  });

  it('STR-18 VAT-06 AMB-10 TRAP 34: on these routes a missing token is a field that is missing, and on no others', () => {
    expect(those(({ access }) => access.vatMissing === 'VALIDATION_ERROR')).toEqual([
      'DELETE /v1/products/structured-ingots/{vault_id}/{ingot_id}',
      'GET /v1/products/structured-ingots/{vault_id}',
      'GET /v1/products/structured-ingots/{vault_id}/{ingot_id}',
      'PATCH /v1/products/structured-ingots/{vault_id}/{ingot_id}',
      'POST /v1/products/structured-ingots/{vault_id}',
    ]);
  });

  it('ENT-01: random data needs an API key or a session', () => {
    expect(those(({ access, http }) => access.credential === 'key' && http.path.includes('entropy'))).toEqual(
      ['POST /v1/entropy/generate'],
    );
  });
});
