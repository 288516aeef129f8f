import { settingReaders } from './generated/setting-readers.js';
import { unknownSettings, type UnknownSetting } from './unknown-settings.js';

/** A process has one of each, whatever services run in it. */
const OF_THE_PROCESS = new Set([
  'PRIVATE_PORT',
  'PRIVATE_HOST',
  'TRACES_ENDPOINT',
  'TRACES_RATIO',
  'TRACES_AUTHORIZATION',
]);

const readersOf = (setting: string) => settingReaders[setting]?.split(' ') ?? [];

/** The names of all services. */
export const serviceNames: readonly string[] = [...new Set(Object.keys(settingReaders).flatMap(readersOf))];

interface OwnSetting {
  readonly service: string;
  /** Its name without the prefix; of a file with `_FILE`. */
  readonly name: string;
}

/**
 * The environment of one service in a process of several: `SPARKS_DATABASE_URL` is the `DATABASE_URL` of sparks, and a name without
 * a prefix applies to every service that has no own value, also one by `NAME_FILE`. It has no setting of another service.
 */
export function environmentOf(
  service: string,
  environment: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  const entries = Object.entries(environment).map(([name, value]) => ({ name, value, of: ownerOf(name) }));
  const own = entries.flatMap(({ of, value }) =>
    of?.service === service && value ? [[of.name, value]] : [],
  );
  const replaced = new Set(own.map(([name = '']) => withoutFile(name)));
  const general = entries.flatMap(({ name, value, of }) =>
    of || replaced.has(withoutFile(name)) ? [] : [[name, value]],
  );
  return Object.fromEntries([...general, ...own]) as NodeJS.ProcessEnv;
}

/**
 * As `unknownSettings`, for the environment of a process of all services. It also names a setting with the prefix of a service
 * that does not read it.
 */
export function unknownSettingsOfAll(
  environment: NodeJS.ProcessEnv = process.env,
): readonly UnknownSetting[] {
  const misplaced = Object.keys(environment).flatMap(misplacedSetting);
  const rest = Object.entries(environment).filter(
    ([name]) => !misplaced.some((found) => found.name === name),
  );
  const names = Object.keys(settingReaders).flatMap((setting) => [setting, ...prefixedNames(setting)]);
  return [...misplaced, ...unknownSettings(Object.fromEntries(rest), names)];
}

/** The service whose prefix a variable has, if it is a setting of that service: `FORGE_ORIGIN` is one of others. */
function ownerOf(variable: string): OwnSetting | undefined {
  return serviceNames
    .map((service) => ({ service, name: withoutPrefix(service, variable) }))
    .find(({ service, name }) => name !== undefined && takesPrefix(name, service)) as OwnSetting | undefined;
}

function takesPrefix(name: string, service: string): boolean {
  return [name, withoutFile(name)].some(
    (setting) => !OF_THE_PROCESS.has(setting) && readersOf(setting).includes(service),
  );
}

function misplacedSetting(variable: string): UnknownSetting[] {
  if (variable in settingReaders || withoutFile(variable) in settingReaders || ownerOf(variable)) return [];
  const settings = serviceNames.map((service) => withoutFile(withoutPrefix(service, variable) ?? ''));
  const setting = settings.find((name) => name in settingReaders);
  if (setting === undefined) return [];
  const meant = OF_THE_PROCESS.has(setting) ? [setting] : prefixedNames(setting);
  return [{ name: variable, nearest: meant.join(' or ') }];
}

function prefixedNames(setting: string): string[] {
  if (OF_THE_PROCESS.has(setting)) return [];
  return readersOf(setting).map((service) => `${prefixOf(service)}${setting}`);
}

function prefixOf(service: string): string {
  return `${service.toUpperCase()}_`;
}

function withoutPrefix(service: string, variable: string): string | undefined {
  const prefix = prefixOf(service);
  return variable.startsWith(prefix) ? variable.slice(prefix.length) : undefined;
}

function withoutFile(name: string): string {
  return name.replace(/_FILE$/, '');
}
