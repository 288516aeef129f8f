import { Controller } from '@nestjs/common';
import type { CrmEventsContext, Input } from '@vaultsvc/contracts';
import {
  receiveCrmaEvents,
  receiveCrmbEvents,
  type CrmEventReceived,
} from '@vaultsvc/contracts/integrations';
import { Handles } from '@vaultsvc/messaging';
import { UninstallHints } from '../lifecycle/uninstall-hints.js';

/** The events that end an installation: of crma and of crmb (CRA-11, CRB-08). */
const ENDINGS = new Set(['app.deauthorize', 'app.uninstall']);

/** Events of both CRMs. Those without an effect are acknowledged. */
@Controller()
export class ReceiveCrmEvents {
  constructor(private readonly hints: UninstallHints) {}

  @Handles(receiveCrmaEvents, receiveCrmbEvents)
  async handle(
    _: Input<typeof receiveCrmaEvents>,
    { events, requestId }: CrmEventsContext,
  ): Promise<CrmEventReceived> {
    for (const { type, installation, isAdmin = false } of events)
      if (ENDINGS.has(type)) await this.hints.receive({ installation, requestId, isAdmin });
    return { received: true };
  }
}
