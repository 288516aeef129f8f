import { beforeAll, describe, expect, it } from '@jest/globals';
import { createIngot } from '@vaultsvc/contracts/vaults';
import { mapConcurrently } from '@vaultsvc/testing/waiting';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { newTenant, type Tenant } from '../access/tenant.js';
import { uploadContent } from '../access/upload-content.js';
import { CrmClient, type CrmApp, type CrmResponse } from './crm-client.js';
import { PanelClient } from './panel-client.js';

const platform = usePlatform();
const apps: readonly CrmApp[] = ['crma', 'crmb'];
/** The same ids everywhere: only the portal or org, the vault and the record may decide. */
const records = ['contact', 'company'].map((object_type) => ({ object_type, record_id: '1' }));
const people = ['101', '202'];

/** One person at one record, with a Vault Access Token of their own, and a file that they have uploaded. */
interface Place {
  readonly name: string;
  readonly crm: CrmClient;
  readonly panel: PanelClient;
  readonly record: (typeof records)[number];
  readonly user: string;
  readonly vat: string;
  readonly ingotId: string;
}

let places: readonly Place[];
beforeAll(async () => {
  const clients = await Promise.all([0, 1].map(async () => connectBoth(await newTenant(platform))));
  places = await Promise.all(
    clients.flatMap((ofTenant, number) =>
      ofTenant.flatMap(({ tenant, crm }) =>
        records.flatMap((record) =>
          people.map((user) => newPlace(`tenant ${number}`, tenant, crm, record, user)),
        ),
      ),
    ),
  );
});

/** Both CRMs of a tenant keep their files in one vault. */
async function connectBoth(tenant: Tenant): Promise<{ tenant: Tenant; crm: CrmClient }[]> {
  const vault = await CrmClient.newVault(tenant);
  return Promise.all(apps.map(async (app) => ({ tenant, crm: await CrmClient.connect(tenant, app, vault) })));
}

async function newPlace(
  owner: string,
  tenant: Tenant,
  crm: CrmClient,
  record: Place['record'],
  user: string,
): Promise<Place> {
  const { vat } = (await crm.request('unseal', { ...record, vmk: crm.vault.vmk }, user)).data;
  const { folder_id } = (await crm.request('resolve', record, user)).data;
  const body = { name: `of ${user}.txt`, size_bytes: 5, content_type: 'text/plain', folder_id };
  const params = { vault_id: crm.vault.vault_id };
  const opened = await tenant.key.call(createIngot, { params, body }, { 'X-Vault-Access-Token': vat });
  const { ingot_id } = await uploadContent(opened, Buffer.from('hello'));
  const panel = await PanelClient.open(crm, record, user);
  const name = `${owner}, ${crm.app}, ${record.object_type}, person ${user}`;
  return { name, crm, panel, record, user, vat, ingotId: ingot_id };
}

const atOneRecord = (one: Place, other: Place) => one.crm === other.crm && one.record === other.record;

const pairs = () => places.flatMap((holder) => places.map((file) => [holder, file] as const));

/** How a person reaches files. A panel ignores the record of a body: its bearer decides. */
const doors: { door: string; request: (of: Place, path: string, body?: object) => Promise<CrmResponse> }[] = [
  {
    door: 'OPEN-37: a signed request',
    request: ({ crm, record, user }, path, body) => crm.request(path, { ...record, ...body }, user),
  },
  {
    door: 'OPEN-66: a panel',
    request: ({ panel }, path, body) => panel.call(path, { ...records[0], user_id: '101', ...body }),
  },
];

describe.each(doors)('$door', ({ request }) => {
  it('CRA-05 CRB-04: lists the files of the record to each person of its portal or org, and no others', async () => {
    for (const place of places) {
      const { data } = await request(place, 'files');
      const expected = places.filter((other) => atOneRecord(place, other));
      const ids = (data.files as { ingot_id: string }[]).map(({ ingot_id }) => ingot_id);
      expect(ids.sort()).toEqual(expected.map(({ ingotId }) => ingotId).sort());
    }
  });

  it('CRA-08 CRB-05 CRA-06: in every combination of person, token and file, opens the files of the own record with the own token alone', async () => {
    for (const caller of places) {
      const download = async ([holder, file]: readonly [Place, Place]) => {
        const { status } = await request(caller, 'download', { ingot_id: file.ingotId, vat: holder.vat });
        return { token: holder.name, file: file.name, status };
      };
      const answers = await mapConcurrently(pairs(), download, 32);
      const expected = pairs().map(([holder, file]) => {
        const isOwnToken = holder.crm === caller.crm && holder.user === caller.user;
        const status = isOwnToken ? (atOneRecord(caller, file) ? 200 : 404) : 401;
        return { token: holder.name, file: file.name, status };
      });
      expect({ caller: caller.name, answers }).toEqual({ caller: caller.name, answers: expected });
    }
  }, 300_000);

  it('CRA-08 CRB-05: deletes no file of another record', async () => {
    for (const caller of places)
      for (const { ingotId } of places.filter((file) => !atOneRecord(caller, file))) {
        const answer = await request(caller, 'delete-file', { ingot_id: ingotId, vat: caller.vat });
        expect(answer).toMatchObject({ status: 404 });
      }
  });
});

it('OPEN-66: a panel shares no file of another record', async () => {
  for (const { panel, vat, ...caller } of places)
    for (const file of places) {
      const { status } = await panel.call('share', { ingot_id: file.ingotId, vat });
      expect(status).toBe(atOneRecord(caller as Place, file) ? 201 : 404);
    }
});

it('CRA-09 CRB-04: each file is deleted by the one who uploaded it', async () => {
  for (const [index, place] of places.entries()) {
    const { request } = doors[index % doors.length] as (typeof doors)[number];
    const answer = await request(place, 'delete-file', { ingot_id: place.ingotId, vat: place.vat });
    expect(answer).toEqual({ status: 200, data: { deleted: true, ingot_id: place.ingotId } });
  }
});
