import { paginate, type Client, type Schema } from '@vaultsvc/client';
import type { ArgumentSpec, OptionSpec } from '../command-line/command.js';
import type { Invocation } from '../command-line/invocation.js';
import { exitCodes } from '../exit-codes.js';
import { CliError } from '../failures.js';

/** What people may do in the account. */
export const roles = ['owner', 'admin', 'member'] as const;
export type Role = (typeof roles)[number];
const seats = ['full', 'viewer'] as const;

/** The argument that names a person. */
export const personArgument: ArgumentSpec = {
  name: 'person',
  summary: 'The e-mail address or the id, usr_….',
  field: 'user_id',
};

/** The seat of a person. */
export const seatOption: Readonly<Record<string, OptionSpec>> = {
  seat: {
    value: 'seat',
    summary: 'viewer: may read, but not change anything.',
    choices: seats,
    field: 'seat',
  },
};

export function seatOf(invocation: Invocation): (typeof seats)[number] | undefined {
  return invocation.option('seat') as (typeof seats)[number] | undefined;
}

/** A person of the account. @throws CliError if there is none */
export async function findPerson(client: Client, reference: string): Promise<Schema<'User'>> {
  const isMeant = ({ user_id, email }: Schema<'User'>) =>
    user_id === reference || email.toLowerCase() === reference.toLowerCase();
  for await (const user of paginate(client, '/v1/users')) if (isMeant(user)) return user;
  throw new CliError(`${reference} is not one of the people of the account.`, exitCodes.gone);
}
