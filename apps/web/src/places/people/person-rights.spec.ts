import { describe, expect, it } from '@jest/globals';
import { isManager } from '../../session/session-state.js';
import { mayChange, rolesToGive } from './person-rights.js';

describe('What a person may do with others', () => {
  it('is nothing for members', () => {
    expect(isManager({ role: 'member' })).toBe(false);
    expect(mayChange({ role: 'member' }, { role: 'member' })).toBe(false);
  });

  it('leaves owners to owners', () => {
    expect(isManager({ role: 'admin' })).toBe(true);
    expect(mayChange({ role: 'admin' }, { role: 'admin' })).toBe(true);
    expect(mayChange({ role: 'admin' }, { role: 'owner' })).toBe(false);
    expect(mayChange({ role: 'owner' }, { role: 'owner' })).toBe(true);
    expect(rolesToGive({ role: 'admin' })).toEqual(['member', 'admin']);
    expect(rolesToGive({ role: 'owner' })).toEqual(['member', 'admin', 'owner']);
  });
});
