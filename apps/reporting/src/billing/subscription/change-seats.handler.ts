import { Controller } from '@nestjs/common';
import { assertAdmin, validationError, type ContextOf, type Input } from '@vaultsvc/contracts';
import {
  changeSeats,
  SEATS_MAX,
  type Adjustment,
  type ChangedSubscription,
  type SeatChange,
} from '@vaultsvc/contracts/reporting';
import { Database } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { causeOfCall } from '../../audit/own-record.js';
import { Adjuster } from './adjuster.js';
import { SubscriptionRepository } from './subscription.repository.js';
import { TenantBilling } from './tenant-billing.js';

@Controller()
export class ChangeSeats {
  constructor(
    private readonly tenants: TenantBilling,
    private readonly database: Database,
    private readonly subscriptions: SubscriptionRepository,
    private readonly adjuster: Adjuster,
  ) {}

  @Handles(changeSeats)
  async handle(
    { body }: Input<typeof changeSeats>,
    context: ContextOf<typeof changeSeats>,
  ): Promise<ChangedSubscription> {
    assertAdmin(context);
    this.tenants.assertTenantDecides();
    const { accountId } = context.credential;
    const adjustment = await this.#adjustment(accountId, body);
    return this.adjuster.make(
      accountId,
      causeOfCall(context),
      await this.adjuster.quoteAdjustment(accountId, adjustment),
    );
  }

  /** Pins the version that the seats are added to, so that two calls never add up to one. */
  async #adjustment(accountId: string, { add, set }: SeatChange): Promise<Adjustment> {
    if ((add === undefined) === (set === undefined))
      throw validationError({ field: 'add', message: 'exactly one of add and set must be given' });
    if (set !== undefined) return { seats: set };
    const { state } = await this.subscriptions.read(this.database, accountId);
    const seats = state.seats + (add ?? 0);
    if (seats <= SEATS_MAX) return { seats, version: state.version };
    throw validationError({ field: 'add', message: `seats must not exceed ${SEATS_MAX}` });
  }
}
