import { identityKey, identityTypeOf, type IdentityType } from '@vaultsvc/contracts';
import type { RecipientInput } from '@vaultsvc/contracts/notify';

/** A distinct person of a send. */
export interface Recipient {
  /** As the sender named the person. */
  readonly label: string;
  readonly id: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

/** The recipients of a request in their order, each person once (NTF-03): by id, else by address. */
export function distinctRecipients(inputs: readonly RecipientInput[]): Recipient[] {
  const people: Recipient[] = [];
  for (const input of inputs) add(people, toRecipient(input));
  return people;
}

/** Merges all known people that the recipient connects: `user-7`, `ada@…`, then an object of both. */
function add(people: Recipient[], recipient: Recipient): void {
  const first = people.findIndex((other) => isSamePerson(other, recipient));
  if (first < 0) return void people.push(recipient);
  let person = merged(people[first] as Recipient, recipient);
  for (;;) {
    const next = people.findIndex((other, index) => index > first && isSamePerson(other, person));
    if (next < 0) break;
    person = merged(person, people[next] as Recipient);
    people.splice(next, 1);
  }
  people[first] = person;
}

/** The key of a recipient's preferences and devices (NTF-35): the directory id, else the address. */
export function directoryKeyOf({ id, email, phone }: Omit<Recipient, 'label'>): string {
  if (id !== null) return `id:${id}`;
  return email === null ? `phone:${phone}` : `email:${identityKey(email)}`;
}

/** The key of a recipient that is named by one text, as preferences and devices name it. */
export function directoryKeyOfText(text: string): string {
  return directoryKeyOf(toRecipient(text));
}

function toRecipient(input: RecipientInput): Recipient {
  if (typeof input === 'string') return named(input);
  const { id = null, email = null, phone = null } = input;
  return { label: id ?? email ?? phone ?? '', id, email, phone };
}

function named(text: string): Recipient {
  const type = identityTypeOf(text);
  return {
    label: text,
    id: type === undefined ? text : null,
    email: type === 'email' ? text : null,
    phone: type === 'phone' ? text : null,
  };
}

/** Two people may share a telephone, so it identifies only those who have nothing else. */
function isSamePerson(one: Recipient, other: Recipient): boolean {
  if (one.id !== null && other.id !== null) return one.id === other.id;
  if (one.email !== null && other.email !== null) return identityKey(one.email) === identityKey(other.email);
  const isByPhoneAlone = [one, other].some(({ id, email }) => id === null && email === null);
  return isByPhoneAlone && one.phone !== null && one.phone === other.phone;
}

function merged(one: Recipient, other: Recipient): Recipient {
  return {
    label: one.label,
    id: one.id ?? other.id,
    email: one.email ?? other.email,
    phone: one.phone ?? other.phone,
  };
}

/** The recipient's identity of a type. */
export function identityOf(recipient: Recipient, type: IdentityType): string | null {
  return type === 'email' ? recipient.email : recipient.phone;
}
