import { Controller } from '@nestjs/common';
import { AppError, validationError, type AccountContext, type Input } from '@vaultsvc/contracts';
import { isAppId } from '@vaultsvc/contracts/integrations';
import { recordAppEvent, type AuditEntry } from '@vaultsvc/contracts/reporting';
import { Database } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { AuditPresenter } from './audit-presenter.js';
import type { Details } from './audit-rules.js';
import { AuditRepository } from './audit.repository.js';
import { causeOfCall, ownRecord } from './own-record.js';

/** The details of the entry have a member of this name, which no caller can set. */
const ACTOR_IS_CALLER = 'must not have the member actor: the entry names the caller there';

/** Records events of integrations in the chain of the account (AUD-03, OPEN-65). */
@Controller()
export class RecordAppEvent {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditRepository,
    private readonly presenter: AuditPresenter,
  ) {}

  @Handles(recordAppEvent)
  async handle({ body }: Input<typeof recordAppEvent>, context: AccountContext): Promise<AuditEntry> {
    const { app_slug: appId, event_type: type, metadata = {} } = body;
    if (!isAppId(appId)) throw new AppError('APP_NOT_FOUND');
    if ('actor' in metadata) throw validationError({ field: 'metadata', message: ACTOR_IS_CALLER });
    const details = metadata as Details;
    const record = ownRecord(context.credential.accountId, causeOfCall(context), { type, details, appId });
    const [entry] = await this.database.transaction((tx) => this.audit.append(tx, [record]));
    if (!entry) throw new Error('the entry was not appended');
    const listed = {
      seq: entry.seq,
      type,
      timestamp: Math.floor(record.occurredAtMs / 1000),
      body: entry.body,
    };
    const [presented] = await this.presenter.present([listed], context);
    return presented as AuditEntry;
  }
}
