import { UsageError } from '../failures.js';

/** `{{ NAME }}`, or `\{{` for two braces as they are. */
const PART = /\\\{\{|\{\{([^{}\n]*)\}\}|\{\{/g;
const NAME = /^[A-Za-z_][\w.-]*$/;

/** A text with `{{ NAME }}` where values belong. */
export class Template {
  readonly #names = new Set<string>();

  /** @throws UsageError for braces that are no `{{ NAME }}`, with their line */
  constructor(private readonly text: string) {
    for (const { 0: part, 1: inner, index } of text.matchAll(PART)) {
      if (part === '\\{{') continue;
      const name = inner?.trim() ?? '';
      if (!NAME.test(name)) {
        const line = text.slice(0, index).split('\n').length;
        throw new UsageError(
          `Line ${line} has {{ without a name and }}. Write \\{{ for two braces as they are.`,
        );
      }
      this.#names.add(name);
    }
  }

  /** The names of the values, each once. */
  get names(): readonly string[] {
    return [...this.#names];
  }

  /** The text with the values, in which nothing is replaced again. */
  render(values: ReadonlyMap<string, string>): string {
    return this.text.replace(PART, (part, inner: string | undefined) =>
      part === '\\{{' ? '{{' : (values.get(inner?.trim() ?? '') ?? ''),
    );
  }
}
