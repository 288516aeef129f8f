import type { AccountContext } from '@vaultsvc/contracts';
import {
  readSend,
  sendNotification,
  type AcceptedSend,
  type NewSend,
  type SendReport,
} from '@vaultsvc/contracts/notify';
import type { RunningService } from '@vaultsvc/service';
import { useFixture } from '@vaultsvc/testing/fixtures';
import { accountContext, rowsOf, startHarness, type Harness } from '@vaultsvc/testing/harness';
import { newAccount } from '@vaultsvc/tools-testing/accounts';
import { auth } from '@vaultsvc/tools-testing/services/auth';
import { sparks } from '@vaultsvc/tools-testing/services/sparks';
import { notify } from '../service-definition.js';
import { newSend } from './new-send.js';

/** For specs: notify with the services that it calls, on real servers. */
export interface SendPlatform {
  readonly harness: Harness;
  readonly notify: RunningService;
  readonly sparks: RunningService;
  /** The context of a caller of a new account. */
  newCaller(): Promise<AccountContext>;
  /** Sends to one recipient in the app, unless the changes say otherwise. */
  send(changes: Partial<NewSend>, caller: AccountContext): Promise<AcceptedSend>;
  report(sendId: string, caller: AccountContext): Promise<SendReport>;
  /** Runs SQL in notify's schema. */
  sql<Row extends Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
}

export async function startSendPlatform(settings: Record<string, string> = {}): Promise<SendPlatform> {
  const harness = await startHarness({ LOG_LEVEL: 'silent' });
  const [authService, sparksService] = await Promise.all([harness.start(auth), harness.start(sparks)]);
  const notifyService = await harness.start(notify, settings);
  return {
    harness,
    notify: notifyService,
    sparks: sparksService,
    newCaller: async () => {
      const { accountId, userId } = await newAccount(authService);
      return accountContext({ accountId, userId });
    },
    send: (changes, caller) => harness.bus.call(sendNotification, { body: newSend(changes) }, caller),
    report: (send_id, caller) => harness.bus.call(readSend, { params: { send_id } }, caller),
    sql: (text, values) => rowsOf(notifyService, text, values),
  };
}

/** The platform for the tests of a spec file: see `useFixture`. */
export function useSendPlatform(settings: Record<string, string> = {}): SendPlatform {
  return useFixture(
    () => startSendPlatform(settings),
    ({ harness }) => harness.stop(),
  );
}
