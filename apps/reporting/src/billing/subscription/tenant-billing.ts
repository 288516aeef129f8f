import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { ReportingConfig } from '../../config.js';

/**
 * Who decides about plans, seats and invoices. `manual` asks nobody for money: in production a tenant would grant itself plans, so
 * the operator sets them, unless a setting says that the tenants are trusted (OPEN-65).
 */
@Injectable()
export class TenantBilling {
  constructor(private readonly config: ReportingConfig) {}

  /** @throws 403 BILLING_OF_OPERATOR */
  assertTenantDecides(): void {
    const { PROFILE, BILLING_PROVIDER, BILLING_MANUAL_TRUSTS_TENANTS: areTrusted } = this.config;
    if (PROFILE === 'production' && BILLING_PROVIDER === 'manual' && !areTrusted)
      throw new AppError('BILLING_OF_OPERATOR');
  }
}
