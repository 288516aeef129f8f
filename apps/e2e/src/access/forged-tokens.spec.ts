import { beforeAll, describe, expect, it } from '@jest/globals';
import { operations } from '@vaultsvc/contracts/catalog';
import { api } from '@vaultsvc/testing/http';
import { mintSession } from '@vaultsvc/tools-testing/accounts';
import { forgeryNames, forgeTokens, type ForgedTokens } from '@vaultsvc/tools-testing/forged-tokens';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { actualAnswer, successAnswer } from './expected-answer.js';
import { originOf, operationCases } from './operation-cases.js';
import { vaultAccessOf, sampleOf } from './samples.js';
import { newTenant, type Tenant } from './tenant.js';

interface Session {
  readonly token: string;
  readonly forged: ForgedTokens;
}

const platform = usePlatform();
let tenant: Tenant;
let full: Session;
let identityOnly: Session;

beforeAll(async () => {
  tenant = await newTenant(platform);
  const identity = await mintSession(platform.auth, { sessionType: 'identity_only' });
  full = {
    token: tenant.ownerSession.token,
    forged: await forgeTokens(platform.auth, tenant.ownerSession),
  };
  identityOnly = { token: identity.token, forged: await forgeTokens(platform.auth, identity) };
});

const guarded = operations.filter(({ access }) => access.credential !== 'none');

describe('AUTH-32: a forged token of a valid session is refused, and the genuine token accepted', () => {
  it.each(operationCases(guarded))('$operation', async ({ op }) => {
    const { token, forged } = op.access.credential === 'identity-only' ? identityOnly : full;
    const input = await sampleOf(op)(tenant);
    const { headers } = vaultAccessOf(input);
    const url = originOf(platform, op);
    const accepted: string[] = [];
    for (const name of forgeryNames) {
      const answer = await api(url, { jwt: forged[name] }).call(op, input, headers);
      if (answer.error?.code !== 'AUTHENTICATION_ERROR') accepted.push(`${name}: ${answer.status}`);
    }
    expect(accepted).toEqual([]);
    expect(actualAnswer(await api(url, { jwt: token }).call(op, input, headers))).toBe(successAnswer(op));
  });
});
