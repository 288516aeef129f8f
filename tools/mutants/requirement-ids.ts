import ts from 'typescript';
import { parse } from '../docs/sources.ts';
import { titlesIn } from '../docs/titles.ts';
import { isAbout } from './nearness.ts';

const id = /\b(?!AES|SHA|UTF|RFC|ISO)[A-Z]{3,5}-\d{2,3}\b/g;

/** Which requirement a place of the code keeps. */
export interface RequirementIds {
  /** The ids of the nearest comment above the place, else of the file's comments and of the titles of the specs about it. */
  at(file: ts.SourceFile, position: number): readonly string[];
}

/** @param paths of all sources, specs included */
export function requirementIdsOf(paths: readonly string[]): RequirementIds {
  const specs = paths.filter((path) => path.endsWith('.spec.ts'));
  const titleIds = remembered((spec) => titlesIn(parse(spec)).flatMap(({ ids }) => ids));
  const idsBeside = remembered((path) =>
    specs.filter((spec) => isAbout(spec, path)).flatMap((spec) => titleIds(spec)),
  );
  return {
    at: (file, position) => {
      const near = nearestIds(file, position);
      if (near.length > 0) return near;
      const ofFile = commentsOf(file.text).flatMap(({ text }) => text.match(id) ?? []);
      return unique([...ofFile, ...idsBeside(file.fileName)]);
    },
  };
}

function remembered(find: (path: string) => readonly string[]): (path: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (path) => {
    const found = known.get(path) ?? find(path);
    known.set(path, found);
    return found;
  };
}

/** Of the comments inside the declaration around the place and above it. */
function nearestIds(file: ts.SourceFile, position: number): string[] {
  let node: ts.Node = tokenAt(file, position);
  while (node.parent && !ts.isSourceFile(node.parent)) {
    const above = ts.getLeadingCommentRanges(file.text, node.getFullStart()) ?? [];
    const ids = above.flatMap(({ pos, end }) => file.text.slice(pos, end).match(id) ?? []);
    if (ids.length > 0) return unique(ids);
    node = node.parent;
  }
  const above = ts.getLeadingCommentRanges(file.text, node.getFullStart()) ?? [];
  return unique(above.flatMap(({ pos, end }) => file.text.slice(pos, end).match(id) ?? []));
}

function tokenAt(node: ts.Node, position: number): ts.Node {
  const child = node.getChildren().find(({ pos, end }) => pos <= position && position < end);
  return child ? tokenAt(child, position) : node;
}

function commentsOf(text: string): { text: string }[] {
  return [...text.matchAll(/\/\*\*[^]*?\*\/|\/\/[^\n]*/g)].map(([comment]) => ({ text: comment }));
}

function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}
