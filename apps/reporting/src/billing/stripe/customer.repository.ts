import { Injectable } from '@nestjs/common';
import { Database, statement, type Queryable } from '@vaultsvc/database';
import { SubscriptionRepository } from '../subscription/subscription.repository.js';

/** The customer of each account at Stripe. */
@Injectable()
export class CustomerRepository {
  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionRepository,
  ) {}

  /** The customer of an account. `create` makes one; of two concurrent ones the first recorded stays. */
  async of(accountId: string, create: () => Promise<string>): Promise<string> {
    const known = await this.#find(accountId);
    if (known !== null) return known;
    const ref = await create();
    await this.database.query(setCustomer, [accountId, ref]);
    return (await this.#find(accountId)) ?? ref;
  }

  /** The account of a customer; undefined for one that is not ours. */
  async accountOf(db: Queryable, ref: string): Promise<string | undefined> {
    const [row] = await db.query<{ accountId: string }>(findAccount, [ref]);
    return row?.accountId;
  }

  async #find(accountId: string): Promise<string | null> {
    await this.subscriptions.read(this.database, accountId); // makes the row of a new account
    const [row] = await this.database.query<{ ref: string | null }>(findCustomer, [accountId]);
    return row?.ref ?? null;
  }
}

const findCustomer = statement(
  'customers.find',
  `SELECT customer_ref AS ref FROM subscriptions WHERE account_id = $1`,
);

const setCustomer = statement(
  'customers.set',
  `UPDATE subscriptions SET customer_ref = $2 WHERE account_id = $1 AND customer_ref IS NULL`,
);

const findAccount = statement(
  'customers.find-account',
  `SELECT account_id AS "accountId" FROM subscriptions WHERE customer_ref = $1`,
);
