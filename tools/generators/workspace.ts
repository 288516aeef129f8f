import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format, type FormatConfig } from 'oxfmt';

/** The sources into which skeletons are written. Paths are relative to its root. */
export class Workspace {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  has(path: string) {
    return existsSync(join(this.#root, path));
  }

  /** @returns an empty text where there is no such file */
  read(path: string) {
    return this.has(path) ? readFileSync(join(this.#root, path), 'utf8') : '';
  }

  /** @returns names in a folder; none where there is no such folder */
  namesIn(folder: string) {
    return this.has(folder) ? readdirSync(join(this.#root, folder)) : [];
  }

  foldersIn(folder: string) {
    const entries = readdirSync(join(this.#root, folder), { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  }

  /**
   * Writes all files, formatted, or none.
   * @param files text by path; undefined for a list that has another form than expected
   */
  async write(files: Readonly<Record<string, string | undefined>>) {
    const unknown = Object.entries(files).find(([, text]) => text === undefined);
    if (unknown) throw new Error(`${unknown[0]} does not have the expected form: nothing was written`);
    for (const [path, text = ''] of Object.entries(files)) {
      const full = join(this.#root, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, await formatted(full, text, this.#formatOptions()));
    }
  }
  #formatOptions(): FormatConfig {
    return JSON.parse(this.read('.oxfmtrc.json')) as FormatConfig;
  }
}

async function formatted(path: string, text: string, options: FormatConfig) {
  const { code, errors } = await format(path, text, options);
  const [error] = errors;
  if (error) throw new Error(`${path} cannot be formatted: ${error.message}`);
  return code;
}
