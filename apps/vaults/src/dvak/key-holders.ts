import { Injectable } from '@nestjs/common';
import { validationError, type AccountContext } from '@vaultsvc/contracts';
import { describeActor } from '@vaultsvc/contracts/auth';
import type { NewDvak } from '@vaultsvc/contracts/vaults';
import { Bus } from '@vaultsvc/messaging';

/** The user or the program that a key is issued to. */
export interface Holder {
  readonly authorized_user_id: string | null;
  readonly authorized_user_email: string | null;
  readonly nhi_description: string | null;
}

/** Resolves the holders of keys: users of the caller's account, whom auth resolves, and programs. */
@Injectable()
export class KeyHolders {
  constructor(private readonly bus: Bus) {}

  /** Throws VALIDATION_ERROR without a holder, and for a user that is not, or no longer, in the account (DVK-04). */
  async of(key: NewDvak, context: AccountContext): Promise<Holder> {
    return key.dvak_type === 'user' ? this.#person(key, context) : program(key);
  }

  async #person({ authorized_user_id: id }: NewDvak, context: AccountContext): Promise<Holder> {
    if (!id) throw missing('authorized_user_id');
    const body = { account_id: context.credential.accountId, kind: 'user', actor_id: id } as const;
    const { label: email } = await this.bus.call(describeActor, { body }, context);
    if (email === null)
      throw validationError({ field: 'authorized_user_id', message: 'must be a user of this account' });
    return { authorized_user_id: id, authorized_user_email: email, nhi_description: null };
  }
}

function program({ nhi_description }: NewDvak): Holder {
  if (!nhi_description) throw missing('nhi_description');
  return { authorized_user_id: null, authorized_user_email: null, nhi_description };
}

function missing(field: string) {
  return validationError({ field, message: `${field} must be given for this type of key` });
}
