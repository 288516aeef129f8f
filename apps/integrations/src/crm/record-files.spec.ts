import { beforeAll, expect, it, jest } from '@jest/globals';
import type { AccountContext } from '@vaultsvc/contracts';
import { connectCrma } from '@vaultsvc/contracts/integrations';
import { sealVault } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { Bus } from '@vaultsvc/messaging';
import { reasonOf } from '@vaultsvc/testing/harness';
import { InstallationRepository } from '../installations/installation.repository.js';
import { useIntegrations } from '../testing/integrations-platform.js';
import type { CrmCaller } from './crm-caller.js';
import { RecordFileClient } from './record-file-client.js';

const platform = useIntegrations();
const record = { object_type: 'contact', record_id: '51' };
let files: RecordFileClient;
let owner: AccountContext;
let caller: CrmCaller;
let vat: string;
beforeAll(async () => {
  files = platform.service.context.get(RecordFileClient);
  owner = await platform.newCaller();
  const { vault_id, vmk } = await platform.newVault(owner);
  const code = `local-ok-${newId('code_')}`;
  const body = { code, redirect_uri: 'https://app.example.com/callback', vault_id };
  const { portal_id } = await platform.harness.bus.call(connectCrma, { body }, owner);
  const installations = platform.service.context.get(InstallationRepository);
  const installation = await installations.findConnected('crma', portal_id);
  if (!installation) throw new Error('crma is not connected');
  caller = {
    installation: { ...installation, vaultId: vault_id },
    userId: '101',
    requestId: owner.requestId,
    get deadlineMs() {
      return owner.deadlineMs;
    },
  };
  vat = (await files.unseal(caller, { vmk, ttl_seconds: 600 })).vat;
});
/** The names of the operations that integrations calls meanwhile. */
async function callsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const call = jest.spyOn(platform.service.context.get(Bus), 'call');
  try {
    await work();
    return call.mock.calls.map(([op]) => op.name);
  } finally {
    call.mockRestore();
  }
}

const unknown = () => ({ ...record, ingot_id: newId('ing_'), vat });

it('CRA-07: a download is one call for the pools and one to vaults, a deletion is one', async () => {
  expect(await callsDuring(() => reasonOf(files.download(caller, unknown())))).toEqual([
    'reporting.read-funds',
    'vaults.download-record-file',
  ]);
  expect(await callsDuring(() => reasonOf(files.delete(caller, unknown())))).toEqual([
    'vaults.delete-record-file',
  ]);
});

it('CRA-04 OPEN-37: a record on which nothing was put has no files, and gets no folder by a request about them', async () => {
  const rows = () => platform.sql('SELECT 1 FROM record_folders');
  const operations = await callsDuring(async () => {
    expect(await files.list(caller, record)).toEqual({ files: [], count: 0 });
    expect(await reasonOf(files.download(caller, unknown()))).toBe('INGOT_NOT_FOUND');
    expect(await reasonOf(files.delete(caller, unknown()))).toBe('INGOT_NOT_FOUND');
    expect(await reasonOf(files.locate(caller, unknown(), 'write'))).toBe('INGOT_NOT_FOUND');
    expect(await rows()).toEqual([]);
  });
  expect(operations).not.toContain('vaults.open-record-folder');
  const { folder_id } = await files.place(caller, record);
  expect(await files.list(caller, record)).toEqual({ files: [], count: 0 });
  expect(folder_id).toMatch(/^fld_/);
  expect(await rows()).toHaveLength(1);
});

it('CRA-08: a token that has ended is refused as a verified request, which does not count on the address of the CRM', async () => {
  const params = { vault_id: caller.installation.vaultId };
  await files.place(caller, record);
  await platform.harness.bus.call(sealVault, { params }, owner);
  const calls = [
    () => files.download(caller, unknown()),
    () => files.delete(caller, unknown()),
    () => files.locate(caller, unknown(), 'read'),
    () => files.openSession(caller, vat, 'read'),
  ];
  for (const call of calls) expect(await reasonOf(call())).toBe('VERIFIED_REQUEST_REFUSED');
});
