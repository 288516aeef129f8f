/** The class of path parameters of an operation, if a contract of its service already declares one. */
export interface Params {
  /** For example `VaultParams`. */
  type: string;
  /** The contract file without extension, for example `vault`. */
  file: string;
  /** The reason for an unknown parameter, for example `VAULT_NOT_FOUND`. */
  unknown: string;
  /** The parameter that carries the shard, in a service with shards. */
  shardBy: string | undefined;
}

/**
 * @param contracts text of each contract file of the service, by its name without extension
 * @param parameters of the path
 */
export function paramsFor(contracts: Record<string, string>, parameters: string[]): Params | undefined {
  const classes = Object.entries(contracts).flatMap(([file, text]) =>
    [...text.matchAll(/^export class (\w+)(?: extends (\w+))? \{\n(.*?)\n\}/gms)].map(
      ([, type = '', parent = '', body = '']) => ({ file, type, parent, fields: fieldsIn(body) }),
    ),
  );
  const allFields = (type: string): string[] => {
    const found = classes.find((each) => each.type === type);
    return found ? [...allFields(found.parent), ...found.fields] : [];
  };
  const match = classes.find(
    ({ type }) => type.endsWith('Params') && allFields(type).join() === parameters.join(),
  );
  return (
    match && {
      type: match.type,
      file: match.file,
      unknown: unknownOf(contracts, match.type),
      shardBy: shardByOf(contracts, match.type),
    }
  );
}

/** @param body of a class */
function fieldsIn(body: string) {
  return [...body.matchAll(/(\w+)\??: [^:;]*;$/gm)].map(([, name = '']) => name);
}

function unknownOf(contracts: Record<string, string>, type: string) {
  const pattern = new RegExp(`params: ${type},\\s+unknown: '([A-Z_]+)'`);
  return pattern.exec(Object.values(contracts).join('\n'))?.[1] ?? 'NOT_FOUND';
}

/** As another operation with these parameters says. */
function shardByOf(contracts: Record<string, string>, type: string) {
  const operations = Object.values(contracts).flatMap((text) => text.split('= operation({').slice(1));
  const other = operations.find((text) => text.includes(`params: ${type},`) && text.includes('shardBy: '));
  return /shardBy: '(\w+)'/.exec(other ?? '')?.[1];
}

/**
 * Adds an operation to a contract file, before its events.
 * @param text empty for a new file
 * @param contract names to import by module
 */
export function addContract(
  text: string,
  { code, imports }: { code: string; imports: Record<string, string[]> },
) {
  const at = startOfEvents(text);
  const added = `${text.slice(0, at)}${at > 0 ? '\n' : ''}${code}\n${text.slice(at)}`;
  return Object.entries(imports).reduce((file, [from, names]) => importNames(file, from, names), added);
}

/** Where the classes of payloads and the events start; the end of the text if it has none. */
function startOfEvents(text: string) {
  const payloads = [...text.matchAll(/payload: (\w+)/g)].flatMap(([, name = '']) => [
    name,
    ...baseOf(text, name),
  ]);
  const events = ['const \\w+ = event\\(', ...payloads.map((name) => `class ${name}\\b`)].join('|');
  const first = new RegExp(`^(?:/\\*\\*(?:(?!\\*/).)*\\*/\\n)?export (?:${events})`, 'ms').exec(text);
  return first?.index ?? text.length;
}

function importNames(file: string, from: string, names: string[]) {
  if (names.length === 0) return file;
  const line = new RegExp(`^import \\{([^}]*)\\} from '${from.replaceAll('.', '\\.')}';`, 'm').exec(file);
  const present = line?.[1]?.split(',').flatMap((name) => name.trim() || []) ?? [];
  const code = `import { ${names.reduce(withName, present).join(', ')} } from '${from}';`;
  return line ? file.replace(line[0], code) : addImport(file, code);
}

function withName(present: string[], name: string) {
  if (present.includes(name)) return present;
  const at = present.findIndex((other) => other > name);
  return at < 0 ? [...present, name] : present.toSpliced(at, 0, name);
}

/** Adds an import where it belongs in the order of the modules. */
export function addImport(file: string, line: string) {
  const key = orderOf(line);
  const imports = [...file.matchAll(/^import [^;]*;\n/gm)];
  if (imports.length === 0) return `${line}\n\n${file}`;
  const before = imports.findLast(([statement]) => orderOf(statement) < key);
  const at = before ? before.index + before[0].length : (imports[0]?.index ?? 0);
  return `${file.slice(0, at)}${line}\n${file.slice(at)}`;
}

/** Modules of Node come first, then packages, then files, those of outer folders first. */
function orderOf(statement: string) {
  const module = /'([^']+)';\s*$/.exec(statement)?.[1] ?? '';
  const rank = [/^node:/, /^[^.]/, /^\.\./].findIndex((kind) => kind.test(module));
  return `${rank < 0 ? 3 : rank}${module}`;
}

/** What several payloads of the file extend stands before them. */
function baseOf(text: string, payload: string) {
  return new RegExp(`class ${payload} extends (\\w+)`).exec(text)?.slice(1) ?? [];
}
