import { Injectable } from '@nestjs/common';
import { AppError, textAt, validationError, type ConnectedApp, type CrmEvent } from '@vaultsvc/contracts';
import type { ProviderDelivery } from '@vaultsvc/messaging';
import { IntegrationsConfig } from '../config.js';
import { InstallationRepository } from '../installations/installation.repository.js';
import { AccountCalls } from './account-calls.js';
import { DeliveryRepository } from './delivery.repository.js';

/** Most events of a webhook. */
const EVENTS_MAX = 100;

/** The events that have an effect. Others are acknowledged (CRA-11). */
const HANDLED = new Set(['app.deauthorize']);

/** Reads the webhooks of crma: of their events those that are new, of our app, and about an installation. */
@Injectable()
export class CrmaEvents {
  constructor(
    private readonly config: IntegrationsConfig,
    private readonly installations: InstallationRepository,
    private readonly calls: AccountCalls,
    private readonly deliveries: DeliveryRepository,
  ) {}

  /**
   * @param signature names an event that has no name of its own
   * @throws MALFORMED_JSON; VALIDATION_ERROR for more than 100 events; VERIFIED_REQUEST_REFUSED for those of another app
   */
  async read(
    raw: Buffer,
    signature: string,
    context: { readonly deadlineMs: number },
  ): Promise<{ readonly events: readonly CrmEvent[]; readonly delivery: ProviderDelivery }> {
    const known = await this.#known(eventsIn(raw).filter((event) => this.#isHandled(event)));
    for (const accountId of new Set(known.map(({ installation }) => installation.accountId)))
      await this.calls.count(accountId);
    const claims = await Promise.all(
      known.map(async (one) => {
        const claim = await this.deliveries.claim('crma', nameOf(one.event, signature), context);
        return typeof claim === 'string' ? [] : [{ ...one, claim }];
      }),
    );
    const first = claims.flat();
    return {
      events: first.map(({ event, installation }) => ({ type: typeOf(event), installation })),
      delivery: together(first.map(({ claim }) => claim)),
    };
  }

  #isHandled(event: unknown): boolean {
    const appId = idAt(event, 'appId', 'app_id');
    const isOurs = appId === '' || this.config.CRMA_APP_ID === '' || appId === this.config.CRMA_APP_ID;
    if (!isOurs) throw new AppError('VERIFIED_REQUEST_REFUSED');
    return HANDLED.has(typeOf(event));
  }

  /** Events older than the installation are about an earlier one. */
  async #known(events: readonly unknown[]) {
    const portals = new Map<string, ConnectedApp>();
    for (const portalId of new Set(events.map(portalOf))) {
      const installation = await this.installations.findLiving('crma', portalId);
      if (installation) portals.set(portalId, installation);
    }
    return events.flatMap((event) => {
      const installation = portals.get(portalOf(event));
      return installation && !isOlder(event, installation) ? [{ event, installation }] : [];
    });
  }
}

/** One event or a list. */
function eventsIn(raw: Buffer): unknown[] {
  const events = [parse(raw)].flat();
  if (events.length > EVENTS_MAX)
    throw validationError({ field: '', message: `a webhook has at most ${EVENTS_MAX} events` });
  return events;
}

function parse(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch (error) {
    throw new AppError('MALFORMED_JSON', undefined, { cause: error });
  }
}

function typeOf(event: unknown): string {
  const names = ['eventType', 'subscriptionType', 'event', 'type'];
  return names.map((name) => textAt(event, name)).find((type) => type !== '') ?? '';
}

const portalOf = (event: unknown) => idAt(event, 'portalId', 'portal_id');

/** Ids are numbers in events. */
function idAt(event: unknown, ...names: readonly string[]): string {
  if (typeof event !== 'object' || event === null) return '';
  const values = names.map((name) => (event as Readonly<Record<string, unknown>>)[name]);
  const id = values.find((value) => typeof value === 'number' || typeof value === 'string');
  return id === undefined ? '' : String(id);
}

function isOlder(event: unknown, { installedAt }: ConnectedApp): boolean {
  const occurredAtMs = Number(idAt(event, 'occurredAt'));
  return occurredAtMs > 0 && Math.floor(occurredAtMs / 1_000) < installedAt;
}

/** Event ids alone are not unique. */
function nameOf(event: unknown, signature: string): string {
  const own = [idAt(event, 'eventId'), idAt(event, 'occurredAt')];
  const parts = own.every((part) => part === '') ? [signature] : own;
  return JSON.stringify([portalOf(event), typeOf(event), ...parts]).slice(0, 1_000);
}

function together(claims: readonly ProviderDelivery[]): ProviderDelivery {
  return {
    finish: async () => void (await Promise.all(claims.map((claim) => claim.finish()))),
    release: async () => void (await Promise.all(claims.map((claim) => claim.release()))),
  };
}
