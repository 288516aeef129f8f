import { ConfigError, rawSetting, settingsOf } from './load-config.js';
import { loadServiceConfig } from './load-service-config.js';
import { Secret } from './secret.js';

/** The settings of a service, for somebody who must not learn its secrets. */
export interface SettingsSummary {
  /** The value of each setting as text; of a secret only whether it is set. */
  readonly settings: Readonly<Record<string, string>>;
  /** What is wrong with them; empty for a service that can start. */
  readonly problems: readonly string[];
  /** Texts that must not appear anywhere: secret values, and their parts. Not to be shown. */
  readonly secrets: readonly string[];
}

const HIDDEN = '[secret]';
/** Shorter parts of a secret are words that may stand anywhere. */
const PART_CHARACTERS_MIN = 8;

/** Describes the settings of a service as environment and files have them. Values that cannot be parsed count as secrets. */
export function summarizeSettings(
  service: string,
  type: new () => object,
  environment: NodeJS.ProcessEnv = process.env,
): SettingsSummary {
  const { config, problems } = load(service, type, environment);
  const entries = settingsOf(type).map(({ name }) => ({
    name,
    value: config?.[name],
    raw: rawOf(name, environment),
  }));
  const hidden = entries.filter(({ value, raw }) => isSecret(value) || (config === undefined && raw !== ''));
  return {
    settings: Object.fromEntries(
      entries.map(({ name, value, raw }) => [name, config ? textOf(value) : knownOf(raw)]),
    ),
    problems,
    secrets: [...new Set(hidden.flatMap(({ raw }) => partsOf(raw)))],
  };
}

/** A file that cannot be read is among the problems. */
function rawOf(name: string, environment: NodeJS.ProcessEnv): string {
  try {
    return rawSetting(name, environment) ?? '';
  } catch {
    return '';
  }
}

function load(service: string, type: new () => object, environment: NodeJS.ProcessEnv) {
  try {
    return { config: loadServiceConfig(service, type, environment) as Record<string, unknown>, problems: [] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { config: undefined, problems: error.problems };
  }
}

function isSecret(value: unknown): value is Secret<unknown> {
  return value instanceof Secret;
}

/** Of settings that are not valid as a whole only which are set. */
function knownOf(raw: string): string {
  return raw === '' ? '' : '[set]';
}

function textOf(value: unknown): string {
  if (isSecret(value)) return isEmpty(value.reveal()) ? '' : HIDDEN;
  if (value instanceof Map) return [...value.keys()].join(', ');
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.replace(/\/\/[^/@\s]*@/g, `//${HIDDEN}@`); // the user of a URL may have a password
}

function isEmpty(value: unknown): boolean {
  return value === '' || (value instanceof Map && value.size === 0);
}

/** `postgres://` at the beginning of a value or of an item: no secret, but the name of a readiness check. */
const SCHEME = /(?<=^|,)[a-z][a-z0-9+.-]*:\/\//gi;

/** The value, the keys of a list, and the password of a URL, encoded and decoded. */
function partsOf(raw: string): readonly string[] {
  const password = URL.canParse(raw) ? new URL(raw).password : '';
  const parts = [raw, ...raw.replaceAll(SCHEME, '').split(/[,:\s]/), password, decoded(password)];
  return parts.filter((part) => part.length >= PART_CHARACTERS_MIN);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
