import { api, type ApiResponse, type Credentials } from '@vaultsvc/testing/http';
import type { Platform } from '@vaultsvc/tools-testing/platform';
import { vaultAccessOf } from '../../access/samples.js';
import type { RoutedRow } from '../index.js';

/** A valid request, as the samples make it. */
export interface SampleInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
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
