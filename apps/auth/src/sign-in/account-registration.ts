import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import type { Transaction } from '@vaultsvc/database';
import { AccountRepository } from '../accounts/account.repository.js';
import { displayName } from '../names/display-name.js';
import { DomainClaimLookup } from '../domains/domain-claim-lookup.js';
import { IdentityRepository, type AccountUser, type Identity } from '../identity/identity.repository.js';

/** Input of a sign-up. */
export interface RegistrationRequest {
  readonly organizationName: string;
  /** Default: the provider's name, or the local part of the address. */
  readonly fullName: string | undefined;
  readonly requestId: string;
}

/** Creates an account for an identity that has none, and makes it the owner. */
@Injectable()
export class AccountRegistration {
  constructor(
    private readonly identities: IdentityRepository,
    private readonly domains: DomainClaimLookup,
    private readonly accounts: AccountRepository,
  ) {}

  /**
   * @throws SIGNUP_COMPLETED, DOMAIN_CLAIMED, EMAIL_TAKEN, or AUTHENTICATION_ERROR for an unknown identity
   */
  async register(tx: Transaction, identityId: string, request: RegistrationRequest): Promise<AccountUser> {
    const identity = await this.#assertMayRegister(tx, identityId);
    const user = await this.#found(tx, identity, request);
    await this.identities.bind(tx, identityId, user.userId);
    return user;
  }

  async #assertMayRegister(tx: Transaction, identityId: string): Promise<Identity> {
    const identity = await this.identities.lockUnbound(tx, identityId);
    // A claim is always another organization's: this one does not exist yet.
    if ((await this.domains.accountOf(tx, identity.email)) !== undefined)
      throw new AppError('DOMAIN_CLAIMED');
    return identity;
  }

  async #found(
    tx: Transaction,
    { email, name: providersName }: Identity,
    { organizationName, fullName, requestId }: RegistrationRequest,
  ): Promise<AccountUser> {
    const organization = displayName('organization_name', organizationName);
    const ownName = fullName === undefined ? undefined : displayName('full_name', fullName);
    const accountId = await this.accounts.createAccount(tx, organization, requestId);
    const name = ownName ?? providersName ?? localPartOf(email);
    const owner = { email, name, role: 'owner', seat: 'full', status: 'active' } as const;
    return { accountId, userId: await this.accounts.addUser(tx, accountId, owner, requestId) };
  }
}

function localPartOf(email: string): string {
  return email.slice(0, email.lastIndexOf('@'));
}
