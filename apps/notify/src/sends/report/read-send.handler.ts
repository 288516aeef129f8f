import { Controller } from '@nestjs/common';
import { AppError, serviceContext, type AccountContext, type Input } from '@vaultsvc/contracts';
import { readSend, type RecipientReport, type SendReport } from '@vaultsvc/contracts/notify';
import { resolveGrants, type ResolvedGrant } from '@vaultsvc/contracts/sparks';
import { Bus, Handles } from '@vaultsvc/messaging';
import { SendReportRepository, type ReportedRecipient } from './send-report.repository.js';

/** Channels of the sender's own application, which needs the links. */
const OWN_CHANNELS = ['in_app', 'websocket'];

@Controller()
export class ReadSend {
  constructor(
    private readonly reports: SendReportRepository,
    private readonly bus: Bus,
  ) {}

  @Handles(readSend)
  async handle({ params }: Input<typeof readSend>, context: AccountContext): Promise<SendReport> {
    const found = await this.reports.find(context.credential.accountId, params.send_id);
    if (!found) throw new AppError('SEND_NOT_FOUND');
    const recipients = await this.reports.recipientsOf(found.id);
    const grants = await this.#grantsOf(recipients, context);
    const showsLinks = found.summary.channels.some((channel) => OWN_CHANNELS.includes(channel));
    const states = recipients.map((one) => reportOf(one, grants.get(one.link_id ?? ''), showsLinks));
    return { ...found.summary, recipient_states: states };
  }

  async #grantsOf(
    recipients: readonly ReportedRecipient[],
    context: AccountContext,
  ): Promise<ReadonlyMap<string, ResolvedGrant>> {
    const link_ids = recipients.flatMap(({ link_id }) => link_id ?? []);
    if (link_ids.length === 0) return new Map();
    const body = { account_id: context.credential.accountId, link_ids };
    const { grants } = await this.bus.call(resolveGrants, { body }, serviceContext(context));
    return new Map(grants.map((grant) => [grant.link_id, grant]));
  }
}

/** Sparks forgets a grant some time after its end: then it was opened, or has expired. */
function reportOf(
  { recipient, link_id, seen_at, actions, deliveries }: ReportedRecipient,
  grant: ResolvedGrant | undefined,
  showsLinks: boolean,
): RecipientReport {
  return {
    recipient,
    grant: link_id === null ? null : (grant?.status ?? (seen_at === null ? 'expired' : 'consumed')),
    link_url: showsLinks ? (grant?.link_url ?? null) : null,
    seen_at,
    actions,
    deliveries,
  };
}
