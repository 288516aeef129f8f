import type { Parser } from './parsers.js';

/** A declared setting. */
interface Declaration {
  readonly name: string;
  readonly parse: Parser<unknown>;
  readonly description: string;
}

type ConfigClass<T> = new () => T;

const declarations = new WeakMap<object, Declaration[]>();

/**
 * Declares a property as a setting. Its name is the environment variable, its initializer the default; without one the
 * setting is required. `description` is its documentation and follows its errors.
 */
export function Setting(parse: Parser<unknown>, description: string): PropertyDecorator {
  return (target, key) => {
    const own = declarations.get(target) ?? [];
    declarations.set(target, [...own, { name: String(key), parse, description }]);
  };
}

/** All problems of a configuration, each with the name of the setting and never with its value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

/**
 * Reads and validates all settings of a class from the environment. An empty variable counts as absent. Services call it
 * before they open a connection.
 * @throws ConfigError naming all problems at once
 */
export function loadConfig<T extends object>(
  type: ConfigClass<T>,
  environment: NodeJS.ProcessEnv = process.env,
): T {
  const config = new type() as Record<string, unknown>;
  const problems = settingsOf(type).flatMap((declaration) => assign(config, declaration, environment));
  if (problems.length > 0) throw new ConfigError(problems);
  return config as T;
}

/** The settings of a class, inherited ones first. A declaration in a subclass replaces the inherited one. */
export function settingsOf(type: ConfigClass<object>): readonly Declaration[] {
  const chain: Declaration[] = [];
  let prototype = type.prototype as object | null;
  while (prototype && prototype !== Object.prototype) {
    const declared = declarations.get(prototype) ?? [];
    chain.unshift(...declared.filter(({ name }) => !chain.some((own) => own.name === name)));
    prototype = Object.getPrototypeOf(prototype) as object | null;
  }
  return chain;
}

function assign(
  config: Record<string, unknown>,
  { name, parse, description }: Declaration,
  env: NodeJS.ProcessEnv,
): string[] {
  const raw = env[name];
  if (raw === undefined || raw === '') {
    return config[name] === undefined ? [`${name} is missing. ${description}`] : [];
  }
  try {
    config[name] = parse(raw);
    return [];
  } catch (error) {
    return [`${name} ${error instanceof Error ? error.message : 'is not valid'}. ${description}`];
  }
}
