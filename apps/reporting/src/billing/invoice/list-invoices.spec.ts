import { describe, expect, it } from '@jest/globals';
import { listInvoices, type InvoiceQuery } from '@vaultsvc/contracts/reporting';
import { newCustomer, type Customer } from '../../testing/billing.js';
import { usePlatform } from '../../testing/platform.js';

const platform = usePlatform();

const list = ({ context }: Customer, query: Partial<InvoiceQuery>) =>
  platform.harness.bus.call(listInvoices, { query: { limit: 50, ...query } }, context);

describe('BIL-07 ENV-13: the list of invoices', () => {
  it('is newest first, in pages, and of one status on request', async () => {
    const customer = newCustomer(platform);
    for (const seats of [1, 2, 3]) await customer.adjust({ seats });
    const all = await customer.invoices();
    expect(all).toHaveLength(3);
    await customer.charge(all[1]?.invoice_id);
    const first = await list(customer, { limit: 2 });
    expect(first).toMatchObject({ count: 2, has_more: true });
    const rest = await list(customer, { limit: 2, cursor: first.next_cursor });
    expect(rest).toMatchObject({ count: 1, has_more: false });
    const ids = [...first.invoices, ...rest.invoices].map(({ invoice_id }) => invoice_id);
    expect(ids).toEqual(all.map(({ invoice_id }) => invoice_id));
    expect((await list(customer, { status: 'paid' })).invoices).toMatchObject([{ invoice_id: ids[1] }]);
    expect(await list(newCustomer(platform), {})).toEqual({ invoices: [], count: 0, has_more: false });
  });
});
