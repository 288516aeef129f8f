import { describe, expect, it } from '@jest/globals';
import { AppError, operation, type Access, type ErrorReason } from '@vaultsvc/contracts';
import { credentialRecord } from '../testing/gateway-fixture.js';
import { assertAccess } from './assert-access.js';

const callers = {
  'an API key': credentialRecord(),
  'an owner': credentialRecord({ kind: 'session', role: 'owner' }),
  'an admin with a viewer seat': credentialRecord({ kind: 'session', role: 'admin', seat: 'viewer' }),
  'a member': credentialRecord({ kind: 'session', role: 'member' }),
  'an identity': credentialRecord({ kind: 'identity', accountId: null, role: 'member' }),
};

function outcomeOf(access: Access, caller: keyof typeof callers): ErrorReason | 'passes' {
  const http = { method: 'POST', path: '/v1/x', status: 200 } as const;
  try {
    assertAccess(operation({ name: 'x.y', summary: '', http, access }), callers[caller]);
    return 'passes';
  } catch (error) {
    return (error as AppError).reason;
  }
}

const key = { credential: 'key' } as const;
const session = { credential: 'session' } as const;
const admin = { role: 'admin' } as const;
const identity = { credential: 'identity-only' } as const;
const any = { credential: 'any' } as const;

describe('AMB-13 AMB-17 AMB-19 AUTH-34 DOM-04: assertAccess checks the kind of credential, then the role', () => {
  it.each<[keyof typeof callers, ...(ErrorReason | 'passes')[]]>([
    //                              key       key, admin  session  session, admin  identity-only
    ['an API key', 'passes', 'passes', 'SESSION_REQUIRED', 'SESSION_REQUIRED', 'IDENTITY_SESSION_REQUIRED'],
    ['an owner', 'passes', 'passes', 'passes', 'passes', 'IDENTITY_SESSION_REQUIRED'],
    ['an admin with a viewer seat', 'passes', 'passes', 'passes', 'passes', 'IDENTITY_SESSION_REQUIRED'],
    ['a member', 'passes', 'ROLE_REQUIRED', 'passes', 'ROLE_REQUIRED', 'IDENTITY_SESSION_REQUIRED'],
    [
      'an identity',
      'REGISTRATION_REQUIRED',
      'REGISTRATION_REQUIRED',
      'REGISTRATION_REQUIRED',
      'REGISTRATION_REQUIRED',
      'passes',
    ],
  ])('%s: %s, %s, %s, %s, %s', (caller, ...expected) => {
    const accesses = [key, { ...key, ...admin }, session, { ...session, ...admin }, identity];
    expect(accesses.map((access) => outcomeOf(access, caller))).toEqual(expected);
  });

  it('AMB-18: refuses the viewer seat, in any role, where the contract asks for a full one', () => {
    const http = { method: 'POST', path: '/v1/x', status: 200 } as const;
    const access = { credential: 'key', seat: 'full' } as const;
    const check = (record: Parameters<typeof credentialRecord>[0]) => () =>
      assertAccess(operation({ name: 'x.y', summary: '', http, access }), credentialRecord(record));
    for (const role of ['owner', 'admin', 'member'] as const) {
      expect(check({ kind: 'session', role, seat: 'viewer' })).toThrow(
        new AppError('FULL_SEAT_REQUIRED').message,
      );
      expect(check({ kind: 'session', role, seat: 'full' })).not.toThrow();
    }
    expect(check({})).not.toThrow();
  });

  it('AMB-19 OPEN-59: accepts an API key and a session of either kind where the contract says any', () => {
    for (const caller of Object.keys(callers) as (keyof typeof callers)[])
      expect(outcomeOf(any, caller)).toBe('passes');
  });

  it('MISC-07: accepts every caller where no credential is needed, and refuses one without a record elsewhere', () => {
    const http = { method: 'POST', path: '/v1/x', status: 200 } as const;
    const check = (access: Access) => () =>
      assertAccess(operation({ name: 'x.y', summary: '', http, access }), null);
    for (const access of [{ credential: 'none' }, { provider: 'stripe' }] as const)
      expect(check(access)).not.toThrow();
    for (const credential of ['key', 'session', 'identity-only', 'any'] as const)
      expect(check({ credential })).toThrow(new AppError('AUTHENTICATION_ERROR').message);
  });
});
