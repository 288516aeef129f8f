/** `vault`, or `vault:folder`. A vault whose name has a colon is named by its id. */
export function splitVaultPath(text: string): { readonly vault: string; readonly path: string | undefined } {
  const at = text.indexOf(':');
  return at < 0 ? { vault: text, path: undefined } : { vault: text.slice(0, at), path: text.slice(at + 1) };
}
