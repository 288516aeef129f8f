/** A rule of a JS plugin of oxlint. The package exports no types for plugins; this is what ours use of ESLint's interface. */
export interface Rule {
  readonly meta?: { readonly schema?: object };
  create(context: RuleContext): Readonly<Record<string, (node: RuleNode) => void>>;
}

export interface RuleContext {
  readonly cwd: string;
  /** An absolute path. */
  readonly filename: string;
  readonly options: readonly unknown[];
  report(finding: { node: RuleNode; message: string }): void;
}

/** A node of ESTree with TypeScript. */
export interface RuleNode {
  readonly type: string;
  readonly value?: unknown;
  /** Of an import or export. */
  readonly source?: RuleNode | null;
  /** Of a call. */
  readonly arguments?: readonly RuleNode[];
}
