// Names the source file of a line in a bundle, by the comments that esbuild writes before each module.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CallFrame } from './folded-profile.ts';

const MODULE_COMMENT = /^\/\/ ((?:[\w@.-]+\/)+[\w@.-]+\.[cm]?[jt]s)$/;

/**
 * @param text of a bundle
 * @returns the source of a line, counted from 1
 */
export function sourcesIn(text: string): (line: number) => string | undefined {
  const starts = text.split('\n').flatMap((line, index) => {
    const [, path] = MODULE_COMMENT.exec(line) ?? [];
    return path ? [{ line: index + 1, path }] : [];
  });
  return (line) => starts.findLast((start) => start.line <= line)?.path;
}

/** Names the frames of a profile: function, source file and line in the bundle. */
export function frameNamer(): (frame: CallFrame) => string {
  const bundles = new Map<string, ReturnType<typeof sourcesIn>>();
  const sourceOf = (url: string, line: number) => {
    const known = bundles.get(url) ?? sourcesIn(readFileSync(fileURLToPath(url), 'utf8'));
    bundles.set(url, known);
    return known(line);
  };
  return ({ functionName, url, lineNumber }) => {
    const name = functionName || '(anonymous)';
    if (!url) return name;
    const line = lineNumber + 1; // lines of a profile start at 0
    if (!url.startsWith('file:')) return `${name} ${url}:${line}`;
    const file = url.split('/').at(-1);
    const source = sourceOf(url, line);
    return source ? `${name} ${source} (${file}:${line})` : `${name} ${file}:${line}`;
  };
}
