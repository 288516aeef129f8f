import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '@vaultsvc/client';
import { CliError } from '../failures.js';
import { exitCodes } from '../exit-codes.js';
import { directFetch } from './direct-fetch.js';

/** Where a person signs in. */
export interface DeviceLoginOptions {
  /** The origin of the API, which names its identity provider. */
  readonly url: string;
  readonly issuer?: string;
  readonly clientId?: string;
  readonly signal: AbortSignal;
}

/** The code that the user has to confirm in a browser. */
export interface DeviceCode {
  readonly uri: string;
  readonly code: string;
}

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const INTERVAL_SECONDS_DEFAULT = 5;

interface Provider {
  readonly clientId: string;
  readonly deviceEndpoint: string;
  readonly tokenEndpoint: string;
}

/**
 * Signs in by the device authorization grant (RFC 8628) and returns the ID token. The user confirms a code in a browser on
 * any device.
 * @throws CliError if the provider does not offer the grant, or the user declines
 */
export async function deviceLogin(
  options: DeviceLoginOptions,
  show: (code: DeviceCode) => void,
): Promise<string> {
  const { signal } = options;
  const provider = await findProvider(options);
  const started = await postForm(provider.deviceEndpoint, signal, {
    client_id: provider.clientId,
    scope: 'openid email profile',
  });
  if (!started.ok) throw refused('The identity provider does not start a sign-in', started.body);
  const { verification_uri, user_code, device_code, interval } = started.body;
  show({ uri: text(verification_uri), code: text(user_code) });
  const seconds = typeof interval === 'number' ? interval : INTERVAL_SECONDS_DEFAULT;
  return poll(provider, text(device_code), seconds, signal);
}

async function poll(
  { tokenEndpoint, clientId }: Provider,
  device_code: string,
  interval: number,
  signal: AbortSignal,
): Promise<string> {
  for (let seconds = interval; ;) {
    await delay(seconds * 1_000, undefined, { signal });
    const form = { grant_type: GRANT, device_code, client_id: clientId };
    const { ok, body } = await postForm(tokenEndpoint, signal, form);
    if (ok) return text(body.id_token);
    // RFC 8628, section 3.5.
    if (body.error === 'slow_down') seconds += 5;
    else if (body.error !== 'authorization_pending') throw refused('The sign-in was not confirmed', body);
  }
}

async function findProvider({ url, issuer, clientId, signal }: DeviceLoginOptions): Promise<Provider> {
  const named = issuer && clientId ? {} : await getJson(`${url}/console/sign-in.json`, signal);
  const from = issuer ?? text(named.issuer);
  const discovered = await getJson(`${from.replace(/\/$/, '')}/.well-known/openid-configuration`, signal);
  // OpenID Connect Discovery 1.0, section 4.3: another issuer is an attack or a mistake.
  if (discovered.issuer !== from)
    throw new CliError(`The identity provider at ${from} names another issuer.`);
  const deviceEndpoint = optionalText(discovered.device_authorization_endpoint);
  if (deviceEndpoint === undefined)
    throw new CliError(
      'The identity provider does not offer the device flow (RFC 8628). Log in with an API key.',
    );
  return {
    clientId: clientId ?? text(named.client_id),
    deviceEndpoint,
    tokenEndpoint: text(discovered.token_endpoint),
  };
}

type Json = Readonly<Record<string, unknown>>;

async function getJson(url: string, signal: AbortSignal): Promise<Json> {
  const response = await directFetch(url, { signal });
  const body: unknown = await response.json().catch(() => undefined);
  if (typeof body !== 'object' || body === null) throw ApiError.of(response, undefined);
  if (!response.ok) throw new CliError(`${url} answers with status ${response.status}.`);
  return body as Json;
}

async function postForm(url: string, signal: AbortSignal, form: Record<string, string>) {
  const response = await directFetch(url, { method: 'POST', body: new URLSearchParams(form), signal });
  const body: unknown = await response.json().catch(() => undefined);
  // RFC 6749, 5.1 and 5.2: a success and a refusal are JSON objects.
  if (typeof body !== 'object' || body === null) throw ApiError.of(response, undefined);
  return { ok: response.ok, body: body as Json };
}

function refused(what: string, { error, error_description }: Json): CliError {
  const why = optionalText(error_description) ?? optionalText(error) ?? 'no reason given';
  return new CliError(`${what}: ${why}.`, exitCodes.denied);
}

function text(value: unknown): string {
  if (typeof value !== 'string' || value === '')
    throw new CliError('The identity provider answers incompletely.');
  return value;
}

function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
