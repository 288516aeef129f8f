import { api, type ApiResponse, type Credentials } from '@vaultsvc/testing/http';
import type { Platform } from '@vaultsvc/tools-testing/platform';
import { operations } from '@vaultsvc/contracts/catalog';
import { sampleOf, vaultAccessOf } from '../../access/samples.js';
import type { Tenant } from '../../access/tenant.js';
import type { RoutedRow } from '../index.js';

/** A valid request, as the samples make it. */
export interface SampleInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** A valid request for the row, with the resources that it needs. */
export async function inputOf({ route }: RoutedRow, tenant: Tenant): Promise<SampleInput> {
  const op = operations.find(({ http }) => `${http.method} ${http.path}` === route);
  if (!op) throw new Error(`${route} is no operation of the contracts`);
  return sampleOf(op)(tenant);
}

/** Sends the method and the path of the row, so that a wrong one of the product fails. */
export function sendRow(
  platform: Platform,
  { route, origin, bare, data }: RoutedRow,
  credentials: Credentials,
  input: SampleInput,
): Promise<ApiResponse> {
  const [method, path] = route.split(' ') as [string, string];
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(input.params?.[name] ?? name),
  );
  const query = new URLSearchParams(
    Object.entries(input.query ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    ),
  );
  return api(origin === 'links' ? platform.linkUrl : platform.url, credentials).send({
    method,
    target: query.size > 0 ? `${filled}?${query.toString()}` : filled,
    headers: vaultAccessOf(input).headers,
    body: input.body,
    // Without members in the row, the bare document consists of lines.
    bare: bare && (data ? true : 'lines'),
  });
}

/** The status, with the code of an error. */
export const answerOf = ({ status, error }: ApiResponse): string =>
  error ? `${status} ${error.code}` : String(status);
