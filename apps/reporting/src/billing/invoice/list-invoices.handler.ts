import { Controller } from '@nestjs/common';
import type { ContextOf, Input } from '@vaultsvc/contracts';
import { listInvoices, type InvoicePage } from '@vaultsvc/contracts/reporting';
import { readPosition, toPage } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { InvoiceRepository } from './invoice.repository.js';
import { presentInvoice } from './present-invoice.js';

@Controller()
export class ListInvoices {
  constructor(private readonly invoices: InvoiceRepository) {}

  @Handles(listInvoices)
  async handle(
    { query }: Input<typeof listInvoices>,
    { credential }: ContextOf<typeof listInvoices>,
  ): Promise<InvoicePage> {
    const { status = null, limit, cursor } = query;
    const after = readPosition(cursor, 2);
    const fetched = await this.invoices.list(credential.accountId, { status, limit, after });
    const { rows, ...page } = toPage(fetched, limit, ({ position, id }) => [position, id]);
    return { invoices: rows.map(presentInvoice), ...page };
  }
}
