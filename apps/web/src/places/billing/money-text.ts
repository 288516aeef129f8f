import type { Schema } from '@vaultsvc/client';
import { region } from '../../texts/catalogue.js';

/** An amount in the form of its currency: minor units are hundredths of a euro, and whole yen. */
export function moneyText({ amount, currency }: Schema<'Money'>): string {
  const format = new Intl.NumberFormat(region, { style: 'currency', currency: currency.toUpperCase() });
  const { maximumFractionDigits: digits = 2 } = format.resolvedOptions();
  return format.format(amount / 10 ** digits);
}
