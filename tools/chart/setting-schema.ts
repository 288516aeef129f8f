import ts from 'typescript';
import { numberOf, type Setting } from '../docs/settings.ts';
import { parseText } from '../docs/sources.ts';

/** A part of a JSON schema. */
export type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string' };
const secure: Schema = { type: 'string', pattern: '^https://' };
const originOnly: Schema = { type: 'string', pattern: '^https://[^/]+$' };

const byParser: Readonly<Record<string, Schema>> = {
  flag: { type: 'boolean' },
  origin: originOnly,
  protectedOrigin: originOnly,
  httpUrl: secure,
  currency: { type: 'string', pattern: '^[a-z]{3}$' },
  proxyList: list(),
  shardNumbers: shards(),
};

/** What a rule demands with PROFILE=production. */
const byRule: Readonly<Record<string, Schema>> = {
  encryptedNats: { type: 'string', pattern: '^tls://[^,]+(, *tls://[^,]+)*$' },
  encryptedHttp: secure,
};

/** The values that a setting of a class accepts, as far as the name of its parser says so. */
export function schemaOf({ parser, rule }: Setting): Schema {
  const expression = expressionOf(parser);
  if (!ts.isCallExpression(expression)) return byRule[rule] ?? byParser[parser] ?? text;
  const [name, args] = [expression.expression.getText(), [...expression.arguments]];
  if (name === 'integer') return integerOf(args[0]);
  if (name === 'oneOf') return { enum: args.map(literalOf) };
  return name === 'list' ? list() : text;
}

/** Numbers of shards: several, or one. */
function shards(): Schema {
  return { type: ['array', 'string', 'integer'], items: { type: 'integer', minimum: 0 } };
}

function literalOf(argument: ts.Expression): string {
  if (ts.isStringLiteralLike(argument)) return argument.text;
  throw new Error(`${argument.getText()} must be a literal: the chart accepts the values that it can read`);
}

/** Items in an array, or separated by commas as in the environment. */
function list(): Schema {
  return { type: ['array', 'string'], items: text };
}

function integerOf(range: ts.Expression | undefined): Schema {
  const bounds = range && ts.isObjectLiteralExpression(range) ? [...range.properties] : [];
  const boundOf = (name: string) => {
    const found = bounds.filter(ts.isPropertyAssignment).find((bound) => bound.name.getText() === name);
    return found && numberOf(found.initializer);
  };
  const maximum = boundOf('max');
  return { type: 'integer', minimum: boundOf('min') ?? 0, ...(maximum !== undefined && { maximum }) };
}

function expressionOf(source: string): ts.Expression {
  const [statement] = parseText('setting.ts', source).statements;
  if (statement && ts.isExpressionStatement(statement)) return statement.expression;
  throw new Error(`${source} is no parser`);
}
