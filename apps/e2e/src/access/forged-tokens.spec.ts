import { beforeAll, describe, expect, it } from '@jest/globals';
import { operations } from '@vaultsvc/contracts/catalog';
import { api } from '@vaultsvc/testing/http';
import { mintSession } from '@vaultsvc/tools-testing/accounts';
import { forgeryNames, forgeTokens, type ForgedTokens } from '@vaultsvc/tools-testing/forged-tokens';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { actualAnswer, successAnswer } from './expected-answer.js';
import { originOf, operationCases } from './operation-cases.js';
import { inviteeOf, sampleOf, vaultAccessOf } from './samples.js';
import { newTenant, type Tenant } from './tenant.js';

interface Session {
  readonly token: string;
  readonly forged: ForgedTokens;
}

const platform = usePlatform();
let tenant: Tenant;
let full: Session;

beforeAll(async () => {
  tenant = await newTenant(platform);
  full = {
    token: tenant.ownerSession.token,
    forged: await forgeTokens(platform.auth, tenant.ownerSession),
  };
});

/** An identity-only session of a person with this address: a success ends it. */
async function identityOnly(email?: string): Promise<Session> {
  const session = await mintSession(platform.auth, { sessionType: 'identity_only', email });
  return { token: session.token, forged: await forgeTokens(platform.auth, session) };
}

const guarded = operations.filter(
  ({ access }) => access.credential !== 'none' && access.provider === undefined,
);

describe('AUTH-32: a forged token of a valid session is refused, and the genuine token accepted', () => {
  it.each(operationCases(guarded))('$operation', async ({ op }) => {
    const input = await sampleOf(op)(tenant);
    const { token, forged } =
      op.access.credential === 'identity-only' ? await identityOnly(inviteeOf(input)) : full;
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
