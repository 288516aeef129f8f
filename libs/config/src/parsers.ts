import { isIPv4, isIPv6 } from 'node:net';
import { Secret } from './secret.js';

/** Parses an environment variable, or throws an error whose message completes "NAME …" and never contains the value. */
export type Parser<T> = (text: string) => T;

/** Any text. */
export const text: Parser<string> = (value) => value;

/** `true` or `false`. */
export const flag: Parser<boolean> = (value) => {
  if (value === 'true' || value === 'false') return value === 'true';
  throw new Error('must be true or false');
};

/** An integer in decimal digits, from `min` (default 0) to `max`. */
export function integer({ min = 0, max = Number.MAX_SAFE_INTEGER } = {}): Parser<number> {
  return (value) => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= min && number <= max) return number;
    throw new Error(`must be an integer from ${min} to ${max}`);
  };
}

/** A share, from 0 to 1: `0.01` is one in a hundred. */
export const ratio: Parser<number> = (value) => {
  const number = Number(value);
  if (/^\d(\.\d+)?$/.test(value) && number <= 1) return number;
  throw new Error('must be a number from 0 to 1, such as 0.01');
};

/** One of these texts. */
export function oneOf<T extends string>(...values: T[]): Parser<T> {
  return (value) => {
    const found = values.find((candidate) => candidate === value);
    if (found !== undefined) return found;
    throw new Error(`must be one of ${values.join(', ')}`);
  };
}

/** An http or https origin without a path: `https://api.example.com`. */
export const origin: Parser<string> = (value) => {
  const url = parseUrl(value);
  if ((url.protocol === 'https:' || url.protocol === 'http:') && url.origin === value) return value;
  throw new Error('must be an origin such as https://api.example.com, without a path');
};

/** An http or https URL without credentials, query or fragment: `https://login.example.com/realms/main`. */
export const httpUrl: Parser<string> = (value) => {
  const { protocol, username, password, search, hash } = parseUrl(value);
  const isPlain = username === '' && password === '' && search === '' && hash === '';
  if ((protocol === 'https:' || protocol === 'http:') && isPlain) return value;
  throw new Error('must be an http or https URL without credentials, query or fragment');
};

/** An IP address with or without a port: `10.0.0.2`, `10.0.0.2:5353`, `[2001:db8::1]:53`; `localhost` is 127.0.0.1. */
export const socketAddress: Parser<string> = (value) => {
  const address = value.replace(/^localhost(?=:|$)/i, '127.0.0.1');
  const [, bracketed, plain, port = ''] = /^(?:\[([^\]]+)\]|([^[\]]*?))(?::(\d{1,5}))?$/.exec(address) ?? [];
  const isAddress = (bracketed !== undefined && isIPv6(bracketed)) || (plain !== undefined && isIPv4(plain));
  if ((isAddress && Number(port) <= 65_535) || isIPv6(address)) return address;
  throw new Error('must be an IP address, optionally with a port');
};

/** A password or key, as a `Secret`. */
export const secretText: Parser<Secret> = (value) => new Secret(value);

/** A URL that may contain a password, as a `Secret`. */
export const secretUrl: Parser<Secret> = (value) => {
  parseUrl(value);
  return new Secret(value);
};

/** A comma-separated list. White space around items and empty items are ignored. */
export function list<T>(item: Parser<T>): Parser<readonly T[]> {
  return (value) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map(item);
}

/** A 256-bit key in canonical base64, as from `openssl rand -base64 32`. */
export const key256: Parser<Secret<Buffer>> = (value) => {
  const bytes = Buffer.from(value, 'base64');
  if (bytes.length === 32 && bytes.toString('base64') === value) return new Secret(bytes);
  throw new Error('must be 32 bytes in base64 (openssl rand -base64 32)');
};

/** A key and, while it changes, a second one: the first one signs, both verify. */
export type RotatedKey = readonly [current: Buffer, ...others: Buffer[]];

/** One 256-bit key in base64, or two separated by a comma while the key changes. */
export const rotatedKey: Parser<Secret<RotatedKey>> = (value) => {
  const [current, ...others] = list(key256)(value).map((key) => key.reveal());
  if (current && others.length <= 1) return new Secret([current, ...others]);
  throw new Error('must be one key, or two while the key changes');
};

/** 256-bit keys by name. A name with several keys has the current one first. */
export type NamedKeys = ReadonlyMap<string, readonly [Buffer, ...Buffer[]]>;

/** Named 256-bit keys: `name:base64,name:base64`. During a rotation a name stands twice, the new key first. */
export const namedKeys: Parser<NamedKeys> = (value) => {
  const keys = new Map<string, [Buffer, ...Buffer[]]>();
  for (const [name, key] of list(namedKey)(value))
    keys.set(name, [...(keys.get(name) ?? []), key] as [Buffer]);
  return keys;
};

const namedKey: Parser<readonly [string, Buffer]> = (value) => {
  const [, name = '', key = ''] = /^([a-z][a-z-]*):(.*)$/.exec(value) ?? [];
  try {
    return [name, key256(key).reveal()];
  } catch {
    throw new Error('must be a list of name:key with keys of 32 bytes in base64');
  }
};

/** A parsed value as a `Secret`. */
export function secret<T>(parse: Parser<T>): Parser<Secret<T>> {
  return (value) => new Secret(parse(value));
}

function parseUrl(value: string): URL {
  if (URL.canParse(value)) return new URL(value);
  throw new Error('must be a URL');
}
