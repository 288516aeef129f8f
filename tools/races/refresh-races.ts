import { AppError, type CallContext } from '@vaultsvc/contracts';
import { refreshSession } from '@vaultsvc/contracts/auth';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database, statement } from '@vaultsvc/database';
import type { RunningService } from '@vaultsvc/service';
import { deadlineIn, startHarness, type Harness } from '@vaultsvc/testing/harness';
import { mintSession } from '@vaultsvc/tools-testing/accounts';
import { auth } from '@vaultsvc/tools-testing/services/auth';
import { decodeJwt } from 'jose';
import type { Race } from './race.js';

export interface RefreshRaceReport {
  readonly rounds: number;
  /** Refreshes that were refused, so that the user would have to sign in again. Must be 0. */
  logouts: number;
  /** Session families beyond one for each sign-in, or answers that belong to another family. Must be 0. */
  extraFamilies: number;
  /** Rounds in which the tabs received different tokens, so that the last one stored may be superseded. Must be 0. */
  divergentCookies: number;
  refreshes: number;
  lostAnswers: number;
  readonly refusals: Record<string, number>;
}

/** Orders in which the answers of the two tabs reach the cookie jar; the answer of a tab that is not listed is lost. */
const answerOrders: readonly (readonly number[])[] = [[0, 1], [1, 0], [0], [1], []];

const WORKERS = 8;
const ROUNDS_PER_BROWSER = 50;

/**
 * Two tabs of a browser share a cookie jar and refresh concurrently with the same cookie, over two instances of auth.
 * The cookie in the jar must still be valid long after the grace period of superseded tokens; if both answers were
 * lost, it must be valid at once.
 */
export async function runRefreshRaces(
  count: number,
  onProgress?: (done: number, report: RefreshRaceReport) => void,
): Promise<RefreshRaceReport> {
  const harness = await startHarness({ LOG_LEVEL: 'silent' });
  try {
    const service = await harness.start(auth);
    await harness.start(auth); // a second instance, in the same queue group
    return await race(harness, service, count, onProgress);
  } finally {
    await harness.stop();
  }
}

async function race(
  harness: Harness,
  service: RunningService,
  rounds: number,
  onProgress: ((done: number, report: RefreshRaceReport) => void) | undefined,
): Promise<RefreshRaceReport> {
  const report = {
    rounds,
    logouts: 0,
    extraFamilies: 0,
    divergentCookies: 0,
    refreshes: 0,
    lostAnswers: 0,
    refusals: {},
  };
  let started = 0;
  let done = 0;
  let signIns = 0;
  const work = async () => {
    while (started < rounds) {
      const browser = await Browser.signIn(harness, service, report);
      signIns += 1;
      for (let i = 0; i < ROUNDS_PER_BROWSER && started < rounds && !browser.isSignedOut; i++) {
        await browser.round(answerOrders[started++ % answerOrders.length] as readonly number[]);
        if (++done % 1_000 === 0) onProgress?.(done, report);
      }
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  const [families] = await service.context.get(Database).query<{ count: number }>(countFamilies);
  report.extraFamilies += (families?.count ?? 0) - signIns;
  return report;
}

const countFamilies = statement('races.count-families', `SELECT count(*) AS count FROM families`);

const ageExchanges = statement(
  'races.age-exchanges',
  `UPDATE superseded SET at = at - interval '1 hour' WHERE family_id = $1`,
);

/** One cookie jar and two tabs. */
class Browser {
  isSignedOut = false;

  private constructor(
    private readonly harness: Harness,
    private readonly service: RunningService,
    private readonly report: RefreshRaceReport,
    private readonly sessionId: string,
    private jar: string,
  ) {}

  static async signIn(
    harness: Harness,
    service: RunningService,
    report: RefreshRaceReport,
  ): Promise<Browser> {
    const { sessionId, refreshToken } = await mintSession(service, { delivery: 'cookie' });
    return new Browser(harness, service, report, sessionId, refreshToken);
  }

  /** Refreshes in both tabs, then once more with the cookie in the jar: an hour later, unless both answers were lost. */
  async round(order: readonly number[]): Promise<void> {
    const cookie = this.jar;
    const answers = await Promise.all([this.#refresh(cookie), this.#refresh(cookie)]);
    if (answers[0] !== answers[1]) this.report.divergentCookies += 1;
    this.report.lostAnswers += answers.length - order.length;
    for (const tab of order) this.jar = answers[tab] ?? this.jar;
    if (order.length > 0) await this.service.context.get(Database).query(ageExchanges, [this.sessionId]);
    this.jar = (await this.#refresh(this.jar)) ?? this.jar;
  }

  /** The next cookie, or undefined when the refresh is refused. */
  async #refresh(cookie: string): Promise<string | undefined> {
    this.report.refreshes += 1;
    try {
      const answer = await this.harness.bus.call(
        refreshSession,
        { body: { refresh_token: cookie } },
        callerContext(),
      );
      if (decodeJwt(answer.access_token).sid !== this.sessionId) this.report.extraFamilies += 1;
      return answer.refresh_token;
    } catch (error) {
      return this.#signedOut(error);
    }
  }

  #signedOut(error: unknown): undefined {
    if (!(error instanceof AppError)) throw error;
    this.isSignedOut = true;
    this.report.logouts += 1;
    this.report.refusals[error.reason] = (this.report.refusals[error.reason] ?? 0) + 1;
  }
}

function callerContext(): CallContext {
  return {
    requestId: newId('req_'),
    credential: { kind: 'none' },
    clientIp: '192.0.2.7',
    deadlineMs: deadlineIn(60),
    client: { delivery: 'cookie', userAgent: 'Races/1.0' },
  };
}

export function isCleanRefresh({ logouts, extraFamilies, divergentCookies }: RefreshRaceReport): boolean {
  return logouts + extraFamilies + divergentCookies === 0;
}

/** The outcome in one line. */
export function summaryOfRefresh(report: RefreshRaceReport): string {
  const refusals = Object.entries(report.refusals).map(([reason, times]) => `${times} ${reason}`);
  return (
    `${report.rounds} rounds of two tabs: ${report.logouts} logouts, ${report.extraFamilies} extra families, ` +
    `${report.divergentCookies} divergent cookies; ${report.refreshes} refreshes, ${report.lostAnswers} answers lost` +
    (refusals.length > 0 ? ` (${refusals.join(', ')})` : '')
  );
}

/** `npm run races -- refresh`. */
export const refreshRace: Race = {
  countDefault: 10_000,
  async run(count, reportProgress) {
    const report = await runRefreshRaces(count, (done, { logouts, extraFamilies }) =>
      reportProgress(`${done} of ${count} rounds, ${logouts} logouts, ${extraFamilies} extra families`),
    );
    return { summary: summaryOfRefresh(report), clean: isCleanRefresh(report) };
  },
};
