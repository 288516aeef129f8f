/** Secrets by their names, as the API takes them. */
export type Secrets = Readonly<Record<string, unknown>>;

/** What a text holds, or what is wrong with it. */
export type Parsed =
  | { readonly secrets: Secrets }
  | { readonly problem: 'nothing' }
  | { readonly problem: 'line'; readonly line: number };

/** Reads a JSON object, or lines of a file `.env`. */
export function parseSecrets(text: string): Parsed {
  if (text.trim().startsWith('{')) return parseJson(text);
  return parseLines(text);
}

function parseJson(text: string): Parsed {
  try {
    const parsed: unknown = JSON.parse(text);
    return found(Object.entries(parsed as object));
  } catch {
    return { problem: 'nothing' };
  }
}

const LINE = /^\s*(?:export\s+)?([^\s=#,]+)\s*=(.*)$/;

function parseLines(text: string): Parsed {
  const entries: [string, string][] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const [, name, value] = LINE.exec(line) ?? [];
    if (name === undefined || value === undefined) return { problem: 'line', line: index + 1 };
    entries.push([name, unquoted(value.trim())]);
  }
  return found(entries);
}

function found(entries: readonly [string, unknown][]): Parsed {
  if (entries.length === 0) return { problem: 'nothing' };
  // A name such as `__proto__` is one like any other.
  return { secrets: Object.fromEntries(entries) };
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** In double quotes a backslash escapes; in single ones, and without quotes, nothing does. */
function unquoted(value: string): string {
  const [first] = value;
  const isQuoted = value.length >= 2 && (first === '"' || first === "'") && value.endsWith(first);
  if (!isQuoted) return value.replace(/\s+#.*$/, '');
  const inner = value.slice(1, -1);
  return first === "'" ? inner : inner.replace(/\\(.)/g, (_, one: string) => escapes[one] ?? one);
}
