import { beforeAll, expect, it } from '@jest/globals';
import { createIngot } from '@vaultsvc/contracts/vaults';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { newTenant, type Tenant } from '../access/tenant.js';
import { uploadContent } from '../access/upload-content.js';
import { CrmClient, type CrmApp } from './crm-client.js';

const platform = usePlatform();
const apps: readonly CrmApp[] = ['crma', 'crmb'];
/** The same ids everywhere: only the portal or org, the vault and the record may decide. */
const records = ['contact', 'company'].map((object_type) => ({ object_type, record_id: '1' }));
const people = ['101', '202'];

/** One person at one record, with a Vault Access Token of their own, and a file that they have uploaded. */
interface Place {
  readonly name: string;
  readonly crm: CrmClient;
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
  const name = `${owner}, ${crm.app}, ${record.object_type}, person ${user}`;
  return { name, crm, record, user, vat, ingotId: ingot_id };
}

const atOneRecord = (one: Place, other: Place) => one.crm === other.crm && one.record === other.record;

it('CRA-05 CRB-04: lists the files of the record to each person of its portal or org, and no others', async () => {
  for (const { crm, record, user } of places) {
    const { data } = await crm.request('files', record, user);
    const expected = places.filter((place) => place.crm === crm && place.record === record);
    const ids = (data.files as { ingot_id: string }[]).map(({ ingot_id }) => ingot_id);
    expect(ids.sort()).toEqual(expected.map(({ ingotId }) => ingotId).sort());
  }
});

it('CRA-08 CRB-05 CRA-06: in every combination of person, token and file, opens the files of the own record with the own token alone', async () => {
  for (const caller of places) {
    const answers = places.flatMap((holder) =>
      places.map(async (file) => {
        const body = { ...caller.record, ingot_id: file.ingotId, vat: holder.vat };
        const { status } = await caller.crm.request('download', body, caller.user);
        return { caller: caller.name, token: holder.name, file: file.name, status };
      }),
    );
    const expected = places.flatMap((holder) =>
      places.map((file) => {
        const isOwnToken = holder.crm === caller.crm && holder.user === caller.user;
        const status = isOwnToken ? (atOneRecord(caller, file) ? 200 : 404) : 401;
        return { caller: caller.name, token: holder.name, file: file.name, status };
      }),
    );
    expect(await Promise.all(answers)).toEqual(expected);
  }
});

it('CRA-08 CRB-05: deletes no file of another record, and each of the own one', async () => {
  for (const caller of places) {
    const foreign = places.filter((file) => !atOneRecord(caller, file));
    for (const { ingotId } of foreign) {
      const body = { ...caller.record, ingot_id: ingotId, vat: caller.vat };
      expect(await caller.crm.request('delete-file', body, caller.user)).toMatchObject({ status: 404 });
    }
  }
  for (const { crm, record, user, vat, ingotId } of places) {
    const answer = await crm.request('delete-file', { ...record, ingot_id: ingotId, vat }, user);
    expect(answer).toEqual({ status: 200, data: { deleted: true, ingot_id: ingotId } });
  }
});
