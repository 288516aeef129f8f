import { Int, Pattern } from '../../core/fields.js';

/** An amount of money. It is negative where the account receives credit. */
export class Money {
  @Int({ description: 'In the minor unit of the currency (ISO 4217): 4900 is 49.00 euros.' }) amount: number;
  @Pattern(/^[a-z]{3}$/, { max: 3, says: 'a currency', description: 'ISO 4217 code in lower case: eur.' })
  currency: string;
}
