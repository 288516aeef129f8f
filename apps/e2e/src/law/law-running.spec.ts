import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiResponse } from '@vaultsvc/testing/http';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { unknownIdLike } from '../access/indistinguishable.js';
import { inputOfUser, inviteeOf } from '../access/samples.js';
import { newTenant, type Tenant } from '../access/tenant.js';
import { callerNames, leastCallers, refusalOf } from './access.js';
import { boundsOf, shownDefaults, type Bound } from './bounds.js';
import { deviations } from './deviations.js';
import { rows, type RoutedRow } from './index.js';
import type { CallerName } from './row.js';
import { lawCallersOf, type LawCallers } from './running/law-callers.js';
import { answerOf, inputOf, sendRow, type SampleInput } from './running/row-request.js';
import { pools } from './usage.js';

// The largest file fits into the storage of an account (ING-02).
const platform = usePlatform({ STORAGE_POOL_BYTES: String(64 * 1_024 ** 4) });

/** Refused calls change nothing, so they share an account. */
let shared: { readonly tenant: Tenant; readonly callers: LawCallers };
beforeAll(async () => {
  shared = await newAccount();
});

async function newAccount() {
  const tenant = await newTenant(platform);
  return { tenant, callers: lawCallersOf(tenant) };
}

/** Requests for a row, of one account. */
class Trial {
  private constructor(
    readonly row: RoutedRow,
    private readonly tenant: Tenant,
    private readonly callers: LawCallers,
  ) {}

  /** With an account of its own, so that no row depends on another. */
  static async of(row: RoutedRow): Promise<Trial> {
    const { tenant, callers } = await newAccount();
    return new Trial(row, tenant, callers);
  }

  static ofRefusals(row: RoutedRow): Trial {
    return new Trial(row, shared.tenant, shared.callers);
  }

  /** A valid request. */
  input(): Promise<SampleInput> {
    return inputOf(this.row, this.tenant);
  }

  async send(caller: CallerName, input: SampleInput): Promise<ApiResponse> {
    const credentials = await this.callers(caller, inviteeOf(input));
    const given = refusalOf(this.row, caller) ? input : await inputOfUser(input, credentials);
    return sendRow(platform, this.row, credentials, given);
  }

  /** Repeats a call whose answer lacks the pools: reporting was too late for them on a busy machine. */
  async sendForPools(caller: CallerName, first: SampleInput): Promise<ApiResponse> {
    for (let attempt = 1, input = first; ; attempt += 1, input = await this.input()) {
      const answer = await this.send(caller, input);
      const isLate = this.row.billable && answer.status < 300 && !('pools' in (answer.meta ?? {}));
      if (!isLate || answer.status === 204 || attempt === 4) return answer;
    }
  }
}

/** Where an answer to an admitted caller differs from the row. */
function answerDeviations(row: RoutedRow, answer: ApiResponse): string[] {
  const expected = row.off ?? String(row.status);
  if (answerOf(answer) !== expected) return [`${answerOf(answer)}, not ${expected}`];
  if (row.off) return [];
  const shown = (answer.meta as { pools?: unknown } | undefined)?.pools;
  const isShown = row.billable !== undefined && row.status !== 204;
  const ofPools = isShown
    ? deviations(pools, shown ?? null, 'meta.pools')
    : shown
      ? ['meta.pools is there']
      : [];
  return [...ofPools, ...(row.data ? deviations(row.data, answer.data ?? null) : [])];
}

const ofApi = rows.filter(({ origin }) => origin !== 'forge');
/** Requests of providers are signed: see law-providers.spec.ts. */
const unsigned = ofApi.filter(({ by }) => by !== 'provider');
const inUse = unsigned.filter(({ off }) => !off);

describe('MISC-07 ENV-10 AUTH-34 AMB-17 AMB-19: an operation refuses the callers whom its row does not admit', () => {
  it.each(ofApi)('$law: $route', async (row) => {
    const trial = Trial.ofRefusals(row);
    const input = await trial.input();
    const expected = callerNames.map((name) => [name, refusalOf(row, name)]).filter(([, refusal]) => refusal);
    const got = expected.map(async ([name]) => [name, answerOf(await trial.send(name as CallerName, input))]);
    expect(await Promise.all(got)).toEqual(expected);
  });
});

describe('ENV-04 ENV-10 OPEN-02: an operation answers with the status and the members of its row', () => {
  const cases = unsigned.flatMap((row) => leastCallers(row).map((caller) => ({ ...row, caller })));

  it.each(cases)('$law: $route by $caller', async ({ caller, ...row }) => {
    const trial = await Trial.of(row);
    const answer = await trial.sendForPools(caller, await trial.input());
    expect(answerDeviations(row, answer)).toEqual([]);
  });
});

/** Who tries fields: an admitted caller with all rights. */
const bestCaller = ({ by }: RoutedRow): CallerName =>
  by === 'none' || by === 'optional' ? 'anonymous' : by === 'identity-only' ? 'identity-only' : 'owner';

describe('ENV-20 AMB-12 AMB-55: a field accepts its bounds, and refuses what is beyond', () => {
  const changed = (input: SampleInput, { part, field, value }: Bound): SampleInput => ({
    ...input,
    [part]: { ...input[part], [field]: value },
  });

  it.each(inUse.filter(({ query, body }) => query ?? body))('$law: $route', async (row) => {
    const bounds = [...boundsOf('query', row.query), ...boundsOf('body', row.body)];
    const trial = Trial.ofRefusals(row);
    const input = await trial.input();
    const isRead = row.route.startsWith('GET');
    const attempt = async (by: Trial, bound: Bound, given: SampleInput): Promise<string[]> => {
      const expected = bound.refusal ?? bound.within ?? String(row.status);
      const got = answerOf(await by.send(bestCaller(row), changed(given, bound)));
      const shown = JSON.stringify(bound.value)?.slice(0, 40);
      return got === expected ? [] : [`${bound.part}.${bound.field} ${shown}: ${got}, not ${expected}`];
    };
    const refused = bounds.filter(({ refusal }) => refusal);
    const found = await Promise.all(refused.map((bound) => attempt(trial, bound, input)));
    for (const bound of bounds.filter(({ refusal }) => !refusal)) {
      const own = isRead ? trial : await Trial.of(row);
      found.push(await attempt(own, bound, isRead ? input : await own.input()));
    }
    expect(found.flat()).toEqual([]);
  });
});

describe('A field that is omitted has its default', () => {
  const withDefaults = inUse.filter(({ body, data }) => shownDefaults(body, data).length > 0);

  it.each(withDefaults)('$law: $route', async (row) => {
    const trial = await Trial.of(row);
    const { body = {}, ...input } = await trial.input();
    const defaults = shownDefaults(row.body, row.data);
    const omitted = Object.fromEntries(defaults.map(([field]) => [field, undefined]));
    const { data } = await trial.send(bestCaller(row), { ...input, body: { ...body, ...omitted } });
    expect(data).toMatchObject(Object.fromEntries(defaults));
  });
});

describe('AMB-58 OPEN-55: an id that does not exist', () => {
  /** Of a catalog, or chosen by the account. */
  const FREE = ['app_id', 'app_slug', 'recipient_id', 'source'];
  const lastId = ({ route }: RoutedRow) => [...route.matchAll(/\{(\w+)\}/g)].at(-1)?.[1] ?? '';
  const withIds = inUse.filter((row) => lastId(row) && !FREE.includes(lastId(row)) && row.origin !== 'links');

  it.each(withIds)('$law: $route', async (row) => {
    const trial = Trial.ofRefusals(row);
    const input = await trial.input();
    const name = lastId(row);
    const unknown = name === 'last4' ? '~~~~' : unknownIdLike(input.params?.[name] ?? '');
    const params = { ...input.params, [name]: unknown };
    const expected = { 204: '204', 400: '400 VALIDATION_ERROR', 404: '404 NOT_FOUND' }[row.unknown ?? 404];
    expect(answerOf(await trial.send(bestCaller(row), { ...input, params }))).toBe(expected);
  });
});

describe('Requests with an answer of their own', () => {
  const cases = inUse.flatMap((row) => (row.cases ?? []).map((one) => ({ ...one, row, route: row.route })));

  it.each(cases)('$law: $route by $by is $answer', async ({ row, by = 'owner', body, answer }) => {
    const trial = await Trial.of(row);
    const input = await trial.input();
    expect(answerOf(await trial.send(by, { ...input, body: { ...input.body, ...body } }))).toBe(answer);
  });
});
