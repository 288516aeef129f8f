import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import type { OpenedPanel, ResolvedRecord } from '@vaultsvc/contracts/integrations';
import { IntegrationsConfig } from '../../config.js';
import type { CrmCaller, RecordKey } from '../crm-caller.js';
import { PanelRepository } from './panel.repository.js';
import { RecordFileClient } from '../record-file-client.js';

/**
 * Panels: pages in a frame of the CRM with the files of one record, for one person (OPEN-66). They end with the installation
 * for which they were opened.
 */
@Injectable()
export class Panels {
  constructor(
    private readonly config: IntegrationsConfig,
    private readonly repository: PanelRepository,
    private readonly files: RecordFileClient,
  ) {}

  /** The place of a record with the URL of a new panel. The ticket is in the fragment, which no server receives. */
  async resolve(caller: CrmCaller, { object_type, record_id }: RecordKey): Promise<ResolvedRecord> {
    const place = await this.files.place(caller, { object_type, record_id });
    const ticket = await this.repository.issue(caller, { object_type, record_id });
    const { appId } = caller.installation;
    return { ...place, panel_url: `${this.config.API_ORIGIN}/panel/${appId}#${ticket}` };
  }

  /** Trades a ticket for the token of its panel. Throws AUTHENTICATION_ERROR for one that was used or has expired. */
  async open(appId: string, ticket: string): Promise<OpenedPanel> {
    const opened = await this.repository.tradeTicket(appId, ticket);
    if (!opened) throw new AppError('AUTHENTICATION_ERROR');
    const { record, expiresAt } = opened.panel;
    return { token: opened.bearer, expires_at: expiresAt, ...record };
  }
}
