import { longId } from './salesforce-id.ts';

/** @param given with an id of 15 characters */
const withLongId = <T extends { id: string }>(given: T) => ({ ...given, id18: longId(given.id) });

/** The people of every org. Ids of Bob and Eve differ in case only. */
export const crmbPeople = [
  { id: '0055g000001aDaZ', name: 'Ada', isAdmin: true },
  { id: '0055g000001bObZ', name: 'Bob', isAdmin: false },
  { id: '0055g000001BoBz', name: 'Eve', isAdmin: false },
].map(withLongId);

/** Records of every org. The first two differ in case only. */
export const crmbRecords = [
  { id: '001A0000006Vm9r', object_type: 'contact', name: 'Acme' },
  { id: '001A0000006Vm9R', object_type: 'contact', name: 'Globex' },
  { id: '0065g000009dEaL', object_type: 'deal', name: 'Renewal' },
].map(withLongId);
