import { describe, expect, it } from '@jest/globals';
import { CrmRecord } from '@vaultsvc/contracts/integrations';
import { readCrmBody } from './crm-body.js';
import { normalizeId, normalizeRecord } from './record-key.js';

const idOf = (id: string) => normalizeId('crmb', 'record_id', id);

describe('OPEN-37: the id of a record or person of crmb', () => {
  it('is the one of 18 characters for both of its forms', () => {
    expect(idOf('001A0000006Vm9r')).toBe('001A0000006Vm9rIAC');
    expect(idOf('001A0000006Vm9rIAC')).toBe('001A0000006Vm9rIAC');
    expect(idOf('001A0000006Vm9R')).toBe('001A0000006Vm9RIAS');
    expect(idOf('000000000000000')).toBe('000000000000000AAA');
    expect(idOf('AAAAAbbbbbCCCCC')).toBe('AAAAAbbbbbCCCCC5A5');
  });

  it.each(['001A0000006Vm9RIAC', '001A0000006VM9RIAC', '001a0000006vm9riac', '001A0000006Vm9rIAc'])(
    'is refused as %s, whose checksum does not fit: the case was lost',
    (id) => {
      expect(() => idOf(id)).toThrow(expect.objectContaining({ reason: 'VALIDATION_ERROR' }));
    },
  );

  it('stays as it is in any other form', () => {
    for (const id of ['1', '001', '001A0000006Vm9', 'r_0123456789ABC', '001A0000006Vm9rIACx'])
      expect(idOf(id)).toBe(id);
  });
});

it('OPEN-37: the id of a record of crma stays as it is, in upper and lower case', () => {
  for (const record_id of ['51', 'Ab1', 'aB1', '001A0000006Vm9r', '001A0000006Vm9rXXX'])
    expect(normalizeRecord('crma', { object_type: 'contact', record_id })).toEqual({
      object_type: 'contact',
      record_id,
    });
});

describe('OPEN-37: an id that a CRM writes as a number', () => {
  const read = (json: string) => readCrmBody(CrmRecord, Buffer.from(json));
  const withRecord = (id: string) => read(`{"object_type":"contact","record_id":${id}}`);

  it('is the text of the number', () => {
    expect(withRecord('51')).toMatchObject({ record_id: '51' });
    expect(withRecord('9007199254740991')).toMatchObject({ record_id: '9007199254740991' });
    expect(withRecord('"9007199254740993"')).toMatchObject({ record_id: '9007199254740993' });
    const json = String.raw`{"note":"a \"record_id\": 7.5, \\","portal_id":62515,"object_type":"contact","record_id":1,"user_id":42}`;
    expect(read(json)).toMatchObject({ portal_id: '62515', record_id: '1', user_id: '42' });
  });

  it.each([
    '9007199254740993',
    '9007199254740992',
    '12.5',
    '9007199254740991.4',
    '1.0',
    '1e3',
    '-5',
    '1e400',
  ])('is refused as %s, which is no safe integer as it is written', (number) => {
    for (const name of ['record_id', 'portal_id', 'user_id']) {
      const ids = { record_id: '"1"', [name]: number };
      const members = Object.entries(ids).map(([key, value]) => `"${key}":${value}`);
      expect(() => read(`{"object_type":"contact",${members.join(',')}}`)).toThrow(
        expect.objectContaining({ reason: 'VALIDATION_ERROR' }),
      );
    }
  });
});
