import { Injectable, Logger } from '@nestjs/common';
import { AppError, serviceContext, type AccountContext } from '@vaultsvc/contracts';
import type { AuditEntry } from '@vaultsvc/contracts/reporting';
import { resolveLinks } from '@vaultsvc/contracts/sparks';
import { Database, statement } from '@vaultsvc/database';
import { Bus, ServiceUnavailable } from '@vaultsvc/messaging';
import { ActorNames } from './actor-names.js';
import type { ListedEntry } from './audit-list.repository.js';
import type { Details } from './audit-rules.js';

/** A stored body, as `linkEntries` writes it. */
interface Body {
  readonly event_id: string;
  readonly actor_type?: 'user' | 'api_key';
  readonly actor_id?: string;
  readonly details: Details;
}

/**
 * Presents entries to their account. Names of actors and codes of links are looked up, because the chain does not contain
 * them: the one would outlive its user, the other opens its link (LNK-22). While the service that knows them is down, actors have
 * their ids in place of names, and links no code.
 */
@Injectable()
export class AuditPresenter {
  readonly #logger = new Logger('audit');

  constructor(
    private readonly database: Database,
    private readonly names: ActorNames,
    private readonly bus: Bus,
  ) {}

  async present(entries: readonly ListedEntry[], context: AccountContext): Promise<AuditEntry[]> {
    const bodies = entries.map(({ body }) => JSON.parse(body) as Body);
    const [names, codes] = await Promise.all([
      this.names.find(distinct(bodies.map(({ actor_id }) => actor_id)), context),
      this.#codesOf(distinct(bodies.map(({ details }) => details['link_id'])), context),
    ]);
    return entries.map(({ type, timestamp }, index) => {
      const { event_id, actor_type = null, actor_id, details } = bodies[index] as Body;
      const code = type.startsWith('sparklink_') ? codes.get(details['link_id'] as string) : undefined;
      return {
        event_id,
        event_type: type,
        timestamp,
        details: { ...details, ...(code !== undefined && { link_code: code }) },
        actor_type,
        actor_display: actor_id === undefined ? null : (names.get(actor_id) ?? actor_id),
      };
    });
  }

  /** Codes of ended links are kept here; those of links that still open are with sparks. */
  async #codesOf(linkIds: readonly string[], context: AccountContext): Promise<ReadonlyMap<string, string>> {
    if (linkIds.length === 0) return new Map();
    const { accountId } = context.credential;
    const rows = await this.database.query<{ id: string; code: string }>(findCodes, [accountId, linkIds]);
    const codes = new Map(rows.map(({ id, code }) => [id, code]));
    const live = linkIds.filter((id) => !codes.has(id));
    if (live.length === 0) return codes;
    const body = { account_id: accountId, link_ids: live };
    const { links } = await this.bus
      .call(resolveLinks, { body }, serviceContext(context))
      .catch((error: unknown) => this.#unknownWhileDown(error, { links: [] }));
    for (const { link_id, link_code } of links) codes.set(link_id, link_code);
    return codes;
  }

  #unknownWhileDown<T>(error: unknown, unknown: T): T {
    if (!(error instanceof AppError && error.cause instanceof ServiceUnavailable)) throw error;
    this.#logger.warn({ msg: 'entries lack codes', service: error.cause.service });
    return unknown;
  }
}

function distinct(values: readonly unknown[]): readonly string[] {
  return [...new Set(values.filter((value) => typeof value === 'string'))];
}

const findCodes = statement(
  'audit.find-link-codes',
  `SELECT link_id AS id, code FROM audit_link_codes WHERE account_id = $1 AND link_id = ANY($2::text[])`,
);
