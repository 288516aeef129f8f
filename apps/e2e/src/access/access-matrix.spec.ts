import { beforeAll, describe, expect, it } from '@jest/globals';
import { BODY_BYTES_MAX, type PublicOperation } from '@vaultsvc/contracts';
import { listApiKeys } from '@vaultsvc/contracts/auth';
import { operations } from '@vaultsvc/contracts/catalog';
import { mintToken, parseToken } from '@vaultsvc/crypto/tokens';
import { accountContext } from '@vaultsvc/testing/harness';
import { api, type Credentials } from '@vaultsvc/testing/http';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { callersOf, type Caller } from './callers.js';
import { expectedAnswer, actualAnswer, expectedOutcome, successAnswer } from './expected-answer.js';
import { originOf, operationCases } from './operation-cases.js';
import { inputOfUser, inviteeOf, sampleOf, vaultAccessOf } from './samples.js';
import { newTenant, type Tenant } from './tenant.js';

const platform = usePlatform();
let tenant: Tenant;
let callers: Caller[];

beforeAll(async () => {
  tenant = await newTenant(platform);
  callers = await callersOf(tenant);
});

const isRefused = (op: PublicOperation) => (caller: Caller) => expectedOutcome(op, caller.kind) !== 'success';

/** Describes a deviation of the answer to one caller; empty if there is none. */
async function deviation(op: PublicOperation, caller: Caller, input: object): Promise<string[]> {
  const expected = expectedAnswer(op, expectedOutcome(op, caller.kind));
  const credentials = await caller.credentials(inviteeOf(input));
  const given = isRefused(op)(caller) ? input : await inputOfUser(input, credentials);
  const got = await api(originOf(platform, op), credentials)
    .call(op, given, vaultAccessOf(input).headers)
    .then(actualAnswer, (error: unknown) => String(error));
  return got === expected ? [] : [`${caller.name}: expected ${expected}, got ${got}`];
}

describe('AUTH-32 AUTH-33 AUTH-34 AMB-17 AMB-19 AMB-20 AMB-44 MISC-07 OPEN-07: every kind of caller gets the answer of the contract', () => {
  it.each(operationCases(operations))('$operation', async ({ op }) => {
    const makeInput = sampleOf(op);
    const refused = callers.filter(isRefused(op));
    const accepted = callers.filter((caller) => !refused.includes(caller));
    // Refused calls must change nothing, so the first accepted call uses the same input.
    const input = await makeInput(tenant);
    const deviations = (await Promise.all(refused.map((caller) => deviation(op, caller, input)))).flat();
    for (const [index, caller] of accepted.entries())
      deviations.push(...(await deviation(op, caller, index === 0 ? input : await makeInput(tenant))));
    expect(deviations).toEqual([]);
  });
});

describe('ENV-21: a credential that is missing or invalid', () => {
  /** The form of the credential that a caller presents: a key, a token, or none. */
  const formOf = ({ key, jwt }: Credentials): string => {
    if (key !== undefined) return parseToken('apikey', key) ? 'well-formed' : 'API_KEY_MALFORMED';
    if (jwt === undefined) return 'CREDENTIALS_MISSING';
    if (parseToken('apikey', jwt)) return 'API_KEY_AS_BEARER';
    return jwt.split('.').length === 3 ? 'well-formed' : 'BEARER_MALFORMED';
  };

  it('is answered by its form only, with WWW-Authenticate: one answer for all well-formed ones', async () => {
    const answers = new Map<string, Set<string>>();
    for (const caller of callers.filter(isRefused(listApiKeys))) {
      const credentials = await caller.credentials();
      const { status, headers, error } = await api(platform.url, credentials).call(listApiKeys, {
        query: { limit: 1 },
      });
      if (status === 403) continue; // of an identity without an account
      expect(headers['www-authenticate']).toMatch(/^Bearer realm="vaultsvc"/);
      const form = formOf(credentials);
      answers.set(form, (answers.get(form) ?? new Set()).add(JSON.stringify(error)));
    }
    const reasons = [...answers].map(([form, given]) => [form, [...given].map(reasonIn)]);
    expect(Object.fromEntries(reasons)).toEqual({
      'well-formed': ['AUTHENTICATION_ERROR'],
      CREDENTIALS_MISSING: ['CREDENTIALS_MISSING'],
      API_KEY_MALFORMED: ['API_KEY_MALFORMED'],
      API_KEY_AS_BEARER: ['API_KEY_AS_BEARER'],
      BEARER_MALFORMED: ['BEARER_MALFORMED'],
    });
  });

  const reasonIn = (error: string) => (JSON.parse(error) as { details: { reason: string } }).details.reason;
});

/** A request with an invalid id, query and body. */
const invalidRequest = ({ http }: PublicOperation, body: string | undefined) => ({
  method: http.method,
  target: `${http.path.replace(/\{\w+\}/, 'nonsense')}?limit=nonsense&cursor=nonsense`,
  body,
});

/** Where a body may have more than 256 KiB, the token of the vault is checked before it is read, and so is the role. */
const isVatFirst = ({ access, bodyBytesMax = BODY_BYTES_MAX }: PublicOperation) =>
  access.vat !== undefined && access.vatOf === undefined && bodyBytesMax > 256 * 1_024;

const guarded = operations.filter(({ access }) => access.credential !== 'none');

describe('AMB-13 ENV-40: an unauthorized caller gets no validation error', () => {
  it.each(operationCases(guarded))('$operation', async ({ op }) => {
    const lines = async (caller: Caller, body: string | undefined, expected: string) => {
      const client = api(originOf(platform, op), await caller.credentials());
      const got = actualAnswer(await client.send(invalidRequest(op, body)));
      return got === expected ? [] : [`${caller.name}, ${body}: expected ${expected}, got ${got}`];
    };
    const deviations = callers.filter(isRefused(op)).map(async (caller) => {
      const outcome = expectedOutcome(op, caller.kind);
      // JSON is parsed after the credential and before the role: invalid JSON is 400 with any valid credential.
      const isParsed = op.body && !isVatFirst(op) && outcome === 'FORBIDDEN';
      const ofBadJson = isParsed ? '400 VALIDATION_ERROR' : expectedAnswer(op, outcome);
      return [
        ...(await lines(caller, op.body && '[]', expectedAnswer(op, outcome))),
        ...(await lines(caller, op.body && '{', ofBadJson)),
      ];
    });
    expect((await Promise.all(deviations)).flat()).toEqual([]);
  });
});

describe('AUTH-34: a service that is called without the gateway refuses a member as well', () => {
  // A streamed operation is the gateway's own; the service has the operation of its parts, which only the gateway may call.
  const ofAdmins = operations.filter(({ access, parts }) => access.role === 'admin' && !parts);

  it.each(operationCases(ofAdmins))('$operation', async ({ op }) => {
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
    expect(actualAnswer(await tenant.owner.call(op, input))).toBe(successAnswer(op));
  });
});

describe('VAT-01 VAT-02 VAT-04 VAT-08: an operation in an unsealed vault needs a Vault Access Token with its access level', () => {
  const inVaults = operations.filter(({ access }) => access.vat !== undefined && access.vatOf === undefined);

  it.each(operationCases(inVaults))('$operation', async ({ op }) => {
    const input = await sampleOf(op)(tenant);
    const { headers, readerHeaders } = vaultAccessOf(input);
    const answerTo = async (given?: Record<string, string>, client = tenant.owner) =>
      actualAnswer(await client.call(op, input, given));
    const missing = op.access.vatMissing ?? 'AUTHENTICATION_ERROR';
    for (const none of [undefined, { 'X-Vault-Access-Token': '' }])
      expect(await answerTo(none)).toMatch(new RegExp(`^4\\d\\d ${missing}$`));
    for (const unknown of ['vat_', 'x', mintToken('vat').text])
      expect(await answerTo({ 'X-Vault-Access-Token': unknown })).toBe('401 AUTHENTICATION_ERROR');
    expect(await answerTo(headers, api(platform.url))).toBe('401 AUTHENTICATION_ERROR');
    const ofReader = op.access.vat === 'read' ? successAnswer(op) : '403 FORBIDDEN';
    expect(await answerTo(await readerHeaders?.())).toBe(ofReader);
    expect(await answerTo(headers)).toBe(successAnswer(op));
  });
});

/** Method and path of the operations that satisfy a condition. */
const routesWhere = (holds: (op: PublicOperation) => boolean) =>
  operations
    .filter(holds)
    .map(({ http }) => `${http.method} ${http.path}`)
    .toSorted();

describe('The access lines of the contracts', () => {
  it('MISC-07 OPEN-33 OPEN-56: require a credential for all operations but these', () => {
    expect(routesWhere(({ access }) => access.credential === 'none')).toEqual([
      'GET /.well-known/jwks.json',
      'GET /v1/config',
      'GET /v1/health',
      'GET /v1/unsubscribe',
      'POST /v1/auth/identity/token',
      'POST /v1/auth/identity/verify',
      'POST /v1/auth/logout',
      'POST /v1/auth/refresh',
      'POST /v1/unsubscribe',
      'POST /{link_code}/interact',
      'POST /{link_code}/passkey/options',
      'POST /{link_code}/passkey/verify',
      'POST /{link_code}/verify/confirm',
      'POST /{link_code}/verify/start',
      'PUT /v1/unsubscribe',
    ]);
  });

  it('OPEN-25: accept an optional session for opening a link', () => {
    expect(routesWhere(({ access }) => access.credential === 'optional')).toEqual(['POST /{link_code}/burn']);
  });

  it('AUTH-09 AUTH-33 AMB-19 OPEN-59: allow only an identity-only session to complete the sign-up and to answer an invitation', () => {
    expect(routesWhere(({ access }) => access.credential === 'identity-only')).toEqual([
      'POST /v1/auth/complete-signup',
      'POST /v1/invitations/{invitation_id}/accept',
      'POST /v1/invitations/{invitation_id}/decline',
    ]);
  });

  it('AMB-19 OPEN-59: allow every credential for reading oneself', () => {
    expect(routesWhere(({ access }) => access.credential === 'any')).toEqual(['GET /v1/me']);
  });

  it('OPEN-31 CHT-12 CRA-02 CRB-02: ask a provider for its signature, and for no credential, for its webhooks and proxies', () => {
    expect(routesWhere(({ access }) => access.provider !== undefined)).toEqual([
      'POST /v1/apps/chatapp/webhooks/commands',
      'POST /v1/apps/chatapp/webhooks/events',
      'POST /v1/apps/chatapp/webhooks/interactions',
      'POST /v1/apps/crma/delete-file',
      'POST /v1/apps/crma/download',
      'POST /v1/apps/crma/files',
      'POST /v1/apps/crma/resolve',
      'POST /v1/apps/crma/unseal',
      'POST /v1/apps/crma/webhooks',
      'POST /v1/apps/crmb/delete-file',
      'POST /v1/apps/crmb/download',
      'POST /v1/apps/crmb/files',
      'POST /v1/apps/crmb/resolve',
      'POST /v1/apps/crmb/unseal',
      'POST /v1/apps/crmb/upload-context',
      'POST /v1/apps/crmb/webhooks',
      ...['delete-file', 'download', 'files', 'session', 'share', 'unseal', 'upload'].map(
        (path) => `POST /v1/apps/{app_id}/panel/${path}`,
      ),
      'POST /v1/billing/webhooks/stripe',
    ]);
  });

  it('AMB-17 DOM-04 AMB-24 APP-18: allow a session, but no API key, for these operations', () => {
    expect(routesWhere(({ access }) => access.credential === 'session')).toEqual([
      'DELETE /v1/domains/{domain}',
      'DELETE /v1/me/sessions/{session_id}',
      'GET /v1/me/sessions',
      'GET /v1/profile',
      'PATCH /v1/profile',
      'POST /v1/apps/chatapp/oauth/callback',
      'POST /v1/apps/crma/oauth/callback',
      'POST /v1/apps/crmb/oauth/callback',
      'POST /v1/apps/{app_id}/oauth/start',
      'POST /v1/domains',
      'POST /v1/domains/challenge',
    ]);
  });

  it('AUTH-34 DVK-01 APP-07 AMB-25 OPEN-30 OPEN-31 OPEN-33: require an admin or an owner for these operations', () => {
    expect(routesWhere(({ access }) => access.role === 'admin')).toEqual([
      'DELETE /v1/account/logo',
      'DELETE /v1/api-keys/{api_key_id}',
      'DELETE /v1/apps/chatapp/uninstall',
      'DELETE /v1/apps/crma/uninstall',
      'DELETE /v1/apps/crmb/uninstall',
      'DELETE /v1/apps/{app_id}',
      'DELETE /v1/billing/payment-methods/{payment_method_id}',
      'DELETE /v1/domains/{domain}',
      'DELETE /v1/users/{user_id}',
      'DELETE /v1/vaults/{vault_id}/dvaks/{last4}',
      'GET /v1/audit-logs/export',
      'GET /v1/vaults/{vault_id}/dvaks',
      'PATCH /v1/users/{user_id}',
      'POST /v1/api-keys',
      'POST /v1/apps/chatapp/oauth/callback',
      'POST /v1/apps/crma/oauth/callback',
      'POST /v1/apps/crmb/oauth/callback',
      'POST /v1/apps/crmb/session-secret',
      'POST /v1/apps/{app_id}',
      'POST /v1/apps/{app_id}/oauth/start',
      'POST /v1/billing/aggregate',
      'POST /v1/billing/charge',
      'POST /v1/billing/checkout',
      'POST /v1/billing/iap/validate',
      'POST /v1/billing/payment-methods',
      'POST /v1/billing/payment-methods/setup',
      'POST /v1/billing/portal',
      'POST /v1/billing/seats/bulk',
      'POST /v1/billing/subscription',
      'POST /v1/billing/subscription/adjust',
      'POST /v1/billing/subscription/adjust/preview',
      'POST /v1/domains',
      'POST /v1/domains/challenge',
      'POST /v1/users',
      'POST /v1/users/{user_id}/invitation/resend',
      'POST /v1/vaults/{vault_id}/dvaks',
      'PUT /v1/account',
      'PUT /v1/apps/{app_id}',
      'PUT /v1/billing/payment-methods/{payment_method_id}/default',
      'PUT /v1/products/notify/config',
      'PUT /v1/settings',
    ]);
  });

  it('OPEN-11 VAT-02 VAT-08 AMB-57: require a Vault Access Token for reading or for writing for these operations', () => {
    expect(routesWhere(({ access }) => access.vat === 'read')).toEqual([
      'GET /v1/products/structured-ingots/{vault_id}',
      'GET /v1/products/structured-ingots/{vault_id}/{ingot_id}',
      'GET /v1/vaults/{vault_id}/audit-logs',
      'GET /v1/vaults/{vault_id}/folders',
      'GET /v1/vaults/{vault_id}/folders/{folder_id}',
      'GET /v1/vaults/{vault_id}/ingots',
      'GET /v1/vaults/{vault_id}/ingots/search',
      'GET /v1/vaults/{vault_id}/ingots/{ingot_id}',
      'GET /v1/vaults/{vault_id}/ingots/{ingot_id}/audit-logs',
      'GET /v1/vaults/{vault_id}/ingots/{ingot_id}/sharing',
      'POST /v1/vaults/{vault_id}/ingots/{ingot_id}/download',
    ]);
    expect(routesWhere(({ access }) => access.vat === 'write' && access.vatOf === undefined)).toEqual([
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

  it('STR-18 VAT-06 AMB-10 TRAP 34: report a missing Vault Access Token as a missing field only on these routes', () => {
    expect(routesWhere(({ access }) => access.vatMissing === 'VALIDATION_ERROR')).toEqual([
      'DELETE /v1/products/structured-ingots/{vault_id}/{ingot_id}',
      'GET /v1/products/structured-ingots/{vault_id}',
      'GET /v1/products/structured-ingots/{vault_id}/{ingot_id}',
      'PATCH /v1/products/structured-ingots/{vault_id}/{ingot_id}',
      'POST /v1/products/structured-ingots/{vault_id}',
    ]);
  });

  it('ENT-01: require an API key or a session for random data', () => {
    expect(
      routesWhere(({ access, http }) => access.credential === 'key' && http.path.includes('entropy')),
    ).toEqual(['POST /v1/entropy/generate']);
  });
});
