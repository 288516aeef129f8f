import { readFileSync } from 'node:fs';
import type { Parser } from './parsers.js';

/**
 * A rule that a setting keeps together with the others. Returns what completes "NAME …", never with a value, or undefined
 * when it is kept. `config` has every setting, those with problems of their own with their defaults.
 */
export type Rule<T> = (value: T, config: Readonly<Record<string, unknown>>) => string | undefined;

/** A declared setting. */
interface Declaration {
  readonly name: string;
  readonly parse: Parser<unknown>;
  readonly description: string;
  readonly rule: Rule<unknown>;
}

type ConfigClass<T> = new () => T;

const declarations = new WeakMap<object, Declaration[]>();

/**
 * Declares a property as a setting. Its name is the environment variable, its initializer the default; without one the
 * setting is required. `description` is its documentation and follows its errors. `rule` is checked on
 * the default too.
 */
export function Setting<T>(
  parse: Parser<T>,
  description: string,
  rule: Rule<T> = () => undefined,
): PropertyDecorator {
  return (target, key) => {
    const own = declarations.get(target) ?? [];
    const declaration = { name: String(key), parse, description, rule: rule as Rule<unknown> };
    declarations.set(target, [...own, declaration]);
  };
}

/** A class with the settings of both, to extend: a service may own a schema, or serve HTTP, or both. */
export function withSettings<A extends object, B extends object>(
  base: ConfigClass<A>,
  further: ConfigClass<B>,
): ConfigClass<A & B> {
  class Combined extends (base as ConfigClass<object>) {
    constructor() {
      super();
      Object.assign(this, new further());
    }
  }
  declarations.set(Combined.prototype, [...settingsOf(further)]);
  return Combined as ConfigClass<A & B>;
}

/** All problems of a configuration, each with the name of the setting and never with its value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

/**
 * Reads and validates all settings of a class from the environment, or from the files that `NAME_FILE` names, as orchestrators mount
 * secrets. An empty variable counts as absent, and one line break at the end of a file is no part of the value.
 * @throws ConfigError naming all problems at once
 */
export function loadConfig<T extends object>(
  type: ConfigClass<T>,
  environment: NodeJS.ProcessEnv = process.env,
): T {
  const config = new type() as Record<string, unknown>;
  const settings = settingsOf(type);
  const problems = new Map(
    settings.map((declaration) => [declaration.name, assign(config, declaration, environment)]),
  );
  for (const { name, rule } of settings) problems.set(name, problems.get(name) ?? rule(config[name], config));
  const sentences = settings.flatMap(({ name, description }) => {
    const problem = problems.get(name);
    return problem === undefined ? [] : [`${name} ${problem}. ${description}`];
  });
  if (sentences.length > 0) throw new ConfigError(sentences);
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

/** The setting that names a file with the value of another one. */
export function fileSettingOf(name: string): string {
  return `${name}_FILE`;
}

/**
 * The text of a setting before it is parsed, of the environment or of its file; undefined if it has none.
 * @throws Error for a file that cannot be read
 */
export function rawSetting(name: string, env: NodeJS.ProcessEnv): string | undefined {
  return env[name] || contentOf(name, env);
}

function contentOf(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const path = env[fileSettingOf(name)];
  if (!path) return undefined;
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`cannot be read from the file of ${fileSettingOf(name)} (${code})`, { cause: error });
  }
}

function assign(
  config: Record<string, unknown>,
  { name, parse }: Declaration,
  env: NodeJS.ProcessEnv,
): string | undefined {
  if (env[name] && env[fileSettingOf(name)]) return `is set twice, here and by ${fileSettingOf(name)}`;
  try {
    const raw = rawSetting(name, env);
    if (!raw) return config[name] === undefined ? 'is missing' : undefined;
    config[name] = parse(raw);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'is not valid';
  }
}
