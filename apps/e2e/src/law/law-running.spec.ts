import { beforeAll, describe, expect, it } from '@jest/globals';
import { operations } from '@vaultsvc/contracts/catalog';
import type { ApiResponse } from '@vaultsvc/testing/http';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { unknownIdLike } from '../access/indistinguishable.js';
import { inviteeOf, sampleOf } from '../access/samples.js';
import { newTenant, type Tenant } from '../access/tenant.js';
import { callerNames, leastCallers, refusalOf } from './access.js';
import { pools } from './analytics.js';
import { boundsOf, shownDefaults, type Bound } from './bounds.js';
import { deviations } from './deviations.js';
import { rows, type RoutedRow } from './index.js';
import type { CallerName } from './row.js';
import { lawCallersOf, type LawCallers } from './running/law-callers.js';
import { answerOf, sendRow, type SampleInput } from './running/row-request.js';

const platform = usePlatform();
let tenant: Tenant;
let callers: LawCallers;

beforeAll(async () => {
  tenant = await newTenant(platform);
  callers = await lawCallersOf(tenant);
});

const ofApi = rows.filter(({ origin }) => origin !== 'forge');

/** A valid request for the row, with the resources that it needs. */
async function inputOf({ route }: RoutedRow): Promise<SampleInput> {
  const op = operations.find(({ http }) => `${http.method} ${http.path}` === route);
  if (!op) throw new Error(`${route} is no operation of the contracts`);
  return sampleOf(op)(tenant);
}

async function send(row: RoutedRow, caller: CallerName, input: SampleInput): Promise<ApiResponse> {
  return sendRow(platform, row, await callers(caller, inviteeOf(input)), input);
}

/** Retries while reporting was too late for the pools of the answer: they are left out then. */
async function sendUntilPools(row: RoutedRow, caller: CallerName, first: SampleInput): Promise<ApiResponse> {
  for (let attempt = 1, input = first; ; attempt += 1, input = await inputOf(row)) {
    const answer = await send(row, caller, input);
    const isLate =
      row.billable && answer.status < 300 && answer.status !== 204 && !('pools' in (answer.meta ?? {}));
    if (!isLate || attempt === 4) return answer;
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

describe('MISC-07 ENV-04 ENV-10 AMB-17 AMB-19: every operation admits the callers of its row, and answers with its members', () => {
  it.each(ofApi)('$law: $route', async (row) => {
    const input = await inputOf(row);
    const refused = callerNames.filter((name) => refusalOf(row, name));
    const found = await Promise.all(
      refused.map(async (name) => {
        const got = answerOf(await send(row, name, input));
        return got === refusalOf(row, name) ? [] : [`${name}: ${got}, not ${refusalOf(row, name)}`];
      }),
    );
    if (row.by !== 'provider')
      for (const [index, name] of leastCallers(row).entries()) {
        const answer = await sendUntilPools(row, name, index === 0 ? input : await inputOf(row));
        found.push(answerDeviations(row, answer).map((deviation) => `${name}: ${deviation}`));
      }
    expect(found.flat()).toEqual([]);
  });
});

/** Who tries bounds: an admitted caller with all rights. */
const bestCaller = ({ by }: RoutedRow): CallerName =>
  by === 'none' || by === 'optional' ? 'anonymous' : by === 'identity-only' ? 'identity-only' : 'owner';

const changed = (input: SampleInput, { part, field, value }: Bound): SampleInput => ({
  ...input,
  [part]: { ...input[part], [field]: value },
});

const withFields = ofApi.filter(({ query, body, by, off }) => (query ?? body) && by !== 'provider' && !off);

describe('ENV-20 AMB-12 AMB-55: every field accepts its bounds, and refuses what is beyond', () => {
  it.each(withFields)('$law: $route', async (row) => {
    const bounds = [...boundsOf('query', row.query), ...boundsOf('body', row.body)];
    const input = await inputOf(row);
    const attempt = async (bound: Bound, given: SampleInput, expected: string) => {
      const got = answerOf(await send(row, bestCaller(row), changed(given, bound)));
      const shown = JSON.stringify(bound.value)?.slice(0, 40);
      return got === expected ? [] : [`${bound.part}.${bound.field} ${shown}: ${got}, not ${expected}`];
    };
    const refused = bounds.filter(({ refusal }) => refusal);
    const found = await Promise.all(refused.map((bound) => attempt(bound, input, bound.refusal as string)));
    for (const bound of bounds.filter(({ refusal }) => !refusal)) {
      const given = row.route.startsWith('GET') ? input : await inputOf(row);
      found.push(await attempt(bound, given, String(row.status)));
    }
    expect(found.flat()).toEqual([]);
  });
});

describe('Omitted fields have their defaults', () => {
  const withDefaults = withFields.filter(({ body, data }) => shownDefaults(body, data).length > 0);

  it.each(withDefaults)('$law: $route', async (row) => {
    const { body = {}, ...input } = await inputOf(row);
    const defaults = shownDefaults(row.body, row.data);
    const omitted = Object.fromEntries(defaults.map(([field]) => [field, undefined]));
    const { data } = await send(row, bestCaller(row), { ...input, body: { ...body, ...omitted } });
    expect(data).toMatchObject(Object.fromEntries(defaults));
  });
});

describe('AMB-58 OPEN-55: an id that does not exist', () => {
  const withIds = ofApi.filter(
    ({ route, by, origin, off }) =>
      /_id\}|\{(link_code|code|last4|domain)\}/.test(route) &&
      by !== 'provider' &&
      origin !== 'links' &&
      !off,
  );

  it.each(withIds)('$law: $route', async (row) => {
    const input = await inputOf(row);
    const [name, known] = Object.entries(input.params ?? {}).at(-1) as [string, string];
    if (name === 'app_id' || name === 'recipient_id') return; // of the catalog; chosen by the account
    const answer = await send(row, bestCaller(row), {
      ...input,
      params: { ...input.params, [name]: unknownIdLike(known) },
    });
    const expected = { 204: '204', 400: '400 VALIDATION_ERROR', 404: '404 NOT_FOUND' }[row.unknown ?? 404];
    expect(answerOf(answer)).toBe(expected);
  });
});

describe('Requests with an answer of their own', () => {
  const cases = ofApi.flatMap((row) => (row.cases ?? []).map((one) => ({ ...one, row, route: row.route })));

  it.each(cases)('$law: $route by $by is $answer', async ({ row, by = 'owner', body, answer }) => {
    const input = await inputOf(row);
    expect(answerOf(await send(row, by, { ...input, body: { ...input.body, ...body } }))).toBe(answer);
  });
});
