import type { Schema } from '@vaultsvc/client';

export type Person = Schema<'User'>;
export type Role = Person['role'];
type Me = Pick<Schema<'Me'>, 'role'>;

/** Whether the person changes and removes this one: owners are for owners. */
export const mayChange = (me: Me, person: Pick<Person, 'role'>): boolean =>
  me.role === 'owner' || (me.role === 'admin' && person.role !== 'owner');

/** The roles that the person gives, the least powerful first. */
export const rolesToGive = (me: Me): readonly Role[] =>
  me.role === 'owner' ? ['member', 'admin', 'owner'] : ['member', 'admin'];
