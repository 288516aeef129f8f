import { describe, expect, it } from '@jest/globals';
import type { Member } from '../session/session-state.js';
import { commandsFor, matching } from './commands.js';
import type { PlaceEntry } from './place-entry.js';

const load = () => Promise.reject(new Error('not loaded'));
const isAdmin = ({ role }: Member) => role === 'admin';
const places: readonly PlaceEntry[] = [
  { name: 'send', icon: 'send', routes: [{ path: '/send', load }] },
  {
    name: 'people',
    icon: 'people',
    routes: [
      { path: '/people', load },
      { path: '/people/invite', load, action: 'invite', isActionFor: isAdmin },
    ],
  },
  { name: 'settings', icon: 'settings', routes: [{ path: '/settings', load }], isFor: isAdmin },
];
const person = (role: Member['role']) => ({ role }) as Member;
const textsOf = (role: Member['role']) => commandsFor(places, person(role)).map(({ text }) => text);

describe('The command palette', () => {
  it('has the places and actions of the person, and help', () => {
    expect(textsOf('admin')).toEqual(['Send', 'People', 'Settings', 'Invite a person', 'Help and guides']);
    expect(textsOf('member')).toEqual(['Send', 'People', 'Help and guides']);
  });

  it('finds words in any order and case', () => {
    const found = (query: string) =>
      matching(commandsFor(places, person('admin')), query).map(({ text }) => text);
    expect(found('PERSON inv')).toEqual(['Invite a person']);
    expect(found('nothing')).toEqual([]);
    expect(found('')).toHaveLength(5);
  });
});
