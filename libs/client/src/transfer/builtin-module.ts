interface Runtime {
  readonly process?: { readonly getBuiltinModule?: (name: string) => unknown };
}

/** A module of Node, Deno or Bun, without an import that browsers would refuse; undefined there and before Node 20.16. */
export function builtinModule<T>(name: string): T | undefined {
  return (globalThis as Runtime).process?.getBuiltinModule?.(name) as T | undefined;
}
