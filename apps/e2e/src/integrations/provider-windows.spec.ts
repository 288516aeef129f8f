import { request } from 'node:http';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { newTenant, type Tenant } from '../access/tenant.js';
import { CrmClient } from './crm-client.js';
import { signedByChat, signedByCrma, type SignedRequest } from './signed-request.js';

const platform = usePlatform();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant(platform);
});

const record = { object_type: 'contact', record_id: '1' };
const unconnected = (number: number) =>
  signedByCrma(platform, `/v1/apps/crma/files?portalId=999&userId=1&n=${number}`, record);

async function send({ target, body, headers }: SignedRequest): Promise<Response> {
  const response = await fetch(platform.url + target, { method: 'POST', body, headers });
  await response.text();
  return response;
}

/** What is left of the window of this address, which requests of providers only read. */
async function left(): Promise<number> {
  const { headers } = await send({ target: '/v1/apps/crma/files', body: '{}', headers: {} });
  return Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
}

/** How many calls `act` has counted on the address, beside the one that looks. */
async function countedOnAddress(act: () => Promise<void>): Promise<number> {
  for (;;) {
    const before = await left();
    await act();
    const after = await left();
    if (after < before) return before - after - 1;
  }
}

describe('OPEN-10: the window of an address that many accounts share', () => {
  it('counts signatures that do not verify, and no verified request of a portal or workspace that is not connected', async () => {
    const statuses: number[] = [];
    const verified = await countedOnAddress(async () => {
      for (let number = 0; number < 10; number++) statuses.push((await send(unconnected(number))).status);
      const form = 'team_id=T0UNKNOWN&user_id=U1&text=';
      statuses.push((await send(signedByChat(platform, 'commands', form))).status);
    });
    expect({ statuses, verified }).toEqual({ statuses: [...Array<number>(10).fill(401), 200], verified: 0 });
    const refused = await countedOnAddress(async () => {
      for (let number = 0; number < 3; number++) {
        const { headers, ...rest } = unconnected(number);
        await send({ ...rest, headers: { ...headers, 'X-Crma-Signature-V3': 'A'.repeat(44) } });
      }
    });
    expect(refused).toBe(3);
  });
});

describe('OPEN-38: a session of crmb', () => {
  it('is the one bearer: of two lines of Authorization none is taken', async () => {
    const crm = await CrmClient.connect(tenant, 'crmb');
    const statusWith = (authorization: string[]) =>
      new Promise<number | undefined>((resolve, reject) => {
        const url = new URL(`${platform.url}/v1/apps/crmb/files`);
        const body = JSON.stringify(record);
        const lines = authorization.flatMap((value) => ['Authorization', value]);
        const headers = ['Host', url.host, 'Content-Length', String(body.length), ...lines];
        request(url, { method: 'POST', headers }, (response) => resolve(response.resume().statusCode))
          .on('error', reject)
          .end(body);
      });
    const session = `Bearer ${await crm.session('101')}`;
    expect(await statusWith([session, session])).toBe(400);
    expect(await statusWith([session, 'Bearer x'])).toBe(400);
    expect(await statusWith([session])).toBe(200);
  });
});
