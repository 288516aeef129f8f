import { beforeEach, describe, expect, it } from '@jest/globals';
import { readIngot, updateIngot } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { reasonOf } from '@vaultsvc/testing/harness';
import { newVaultFixture, type VaultFixture } from '../testing/ingots.js';
import { olderInstance } from '../testing/older-instance.js';
import { usePlatform } from '../testing/platform.js';

const platform = usePlatform({ LOG_LEVEL: 'silent' });
let fixture: VaultFixture;
let older: ReturnType<typeof olderInstance>;

beforeEach(async () => {
  fixture = await newVaultFixture(platform);
  older = olderInstance(platform, fixture.vault_id, fixture.caller.credential.accountId);
});

const params = (ingot_id: string) => ({ vault_id: fixture.vault_id, ingot_id });
const read = (reference: string) => fixture.call(readIngot, { params: params(reference) });
const rename = (id: string, name: string) =>
  fixture.call(updateIngot, { params: params(id), body: { name } });
const insert = async (name: string) => {
  const id = newId('ing_');
  expect(await older.insert(id, name)).toBe(true);
  return id;
};

describe('AMB-15: an ingot that an instance of the release before names', () => {
  it('is found by its name in any case, and by no other', async () => {
    const id = await insert('ÉTÉ 2².Txt');
    expect(await read(':e\u0301te\u0301 2².TXT')).toMatchObject({ ingot_id: id });
    expect(await reasonOf(read(':été 22.txt'))).toBe('INGOT_NOT_FOUND');
    await older.rename(id, 'x².txt');
    expect(await read(':X².TXT')).toMatchObject({ ingot_id: id });
    expect(await reasonOf(read(':été 2².txt'))).toBe('INGOT_NOT_FOUND');
    await older.rename(id, 'x2.txt');
    expect(await read(':X2.TXT')).toMatchObject({ ingot_id: id });
    expect(await reasonOf(read(':x².txt'))).toBe('INGOT_NOT_FOUND');
  });

  it('leaves a name free that is another one by the rule of today', async () => {
    const id = await insert('x².txt');
    const { ingot_id } = await fixture.store({ name: 'x2.txt' });
    expect(await read(':x².txt')).toMatchObject({ ingot_id: id });
    expect(await read(':x2.txt')).toMatchObject({ ingot_id });
  });

  it('never gets the name of another', async () => {
    const { ingot_id } = await fixture.store({ name: 'É².txt' });
    await expect(older.insert(newId('ing_'), 'e\u0301².TXT')).rejects.toThrow('ingots_folded_name');
    const id = await insert('other');
    await expect(older.rename(id, 'é².txt')).rejects.toThrow('ingots_folded_name');
    expect(await read(':é².txt')).toMatchObject({ ingot_id });
    expect(await read(':other')).toMatchObject({ ingot_id: id });
  });
});

describe('AMB-15: an ingot that an instance of this release names', () => {
  it('is found by older instances, unless only the former rule changes its name', async () => {
    const { ingot_id } = await fixture.store({ name: 'Été.txt' });
    expect(await older.find('e\u0301té.TXT')).toEqual([ingot_id]);
    await rename(ingot_id, 'Zwei.txt');
    expect(await older.find('ZWEI.txt')).toEqual([ingot_id]);
    expect(await older.find('été.txt')).toEqual([]);
    await rename(ingot_id, 'x².txt');
    expect(await older.find('x².txt')).toEqual([]);
  });

  it('may have a name that the former rule takes for that of another', async () => {
    const former = await insert('x².txt');
    const { ingot_id } = await fixture.store({ name: 'new' });
    await rename(ingot_id, 'X2.txt');
    expect(await read(':x2.txt')).toMatchObject({ ingot_id });
    expect(await older.find('x2.txt')).toEqual([former]);
    await expect(older.insert(newId('ing_'), 'x2.TXT')).rejects.toThrow('ingots_folded_name');
  });
});
