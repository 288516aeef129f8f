import ts from 'typescript';
import { parse, sourceFiles } from '../docs/sources.ts';
import { services } from '../stack/settings.ts';
import { answerBounds, askedClasses, isAnswered } from './asked-classes.ts';
import { codeMutations } from './code-mutations.ts';
import { requirementIdsOf, type RequirementIds } from './requirement-ids.ts';
import type { Mutation, Site } from './site.ts';
import { sqlMutations } from './sql-mutations.ts';

/** Neither tests, nor pages, which have tests in a browser, nor statements that run once. */
const isProduct = (path: string) =>
  /^(?:apps|libs\/contracts)\//.test(path) &&
  !/\.(?:spec|e2e)\.ts$|\/testing\/|\/migrations\/|\/client\/|-page\/|^apps\/e2e\//.test(path);

/** Every place where a mutant breaks the promise of a requirement. */
export function findSites(): Site[] {
  const ids = requirementIdsOf(sourceFiles(() => true));
  const classes = askedClasses();
  const asked = { classes, answerBounds: answerBounds(classes) };
  return sourceFiles(isProduct).flatMap((path) => sitesIn(parse(path), ids, asked));
}

/** The classes that callers send, and the constants that only others name: bounds of others are left alone. */
interface Asked {
  readonly classes: ReadonlySet<string>;
  readonly answerBounds: ReadonlySet<string>;
}

/** @param file its name is relative to the workspace */
function sitesIn(file: ts.SourceFile, ids: RequirementIds, asked: Asked): Site[] {
  const service = serviceOf(file.fileName);
  if (service === undefined) return [];
  return mutationsIn(file, asked).flatMap((mutation) => {
    const kept = ids.at(file, mutation.start);
    const line = file.getLineAndCharacterOfPosition(mutation.start).line + 1;
    return kept.length === 0 ? [] : [{ ...mutation, path: file.fileName, line, service, ids: kept }];
  });
}

function mutationsIn(node: ts.Node, asked: Asked): Mutation[] {
  const inside: Mutation[] = [];
  node.forEachChild((child) => void inside.push(...mutationsIn(child, asked)));
  const own = codeMutations(node).filter(({ kind }) => kind !== 'limit' || !isBoundOfAnswer(node, asked));
  return [...sqlMutations(node), ...own, ...inside];
}

function isBoundOfAnswer(node: ts.Node, { classes, answerBounds: constants }: Asked): boolean {
  if (!node.getSourceFile().fileName.startsWith('libs/contracts/')) return false;
  return ts.isVariableDeclaration(node) ? constants.has(node.name.getText()) : isAnswered(node, classes);
}

/** Contracts are in folders of the services; `core` belongs to all of them, as the gateway does. */
function serviceOf(path: string): string | undefined {
  const [, folder = ''] = /^(?:apps|libs\/contracts\/src)\/([^/]+)\//.exec(path) ?? [];
  if (folder === 'core' || folder === 'catalog') return 'gateway';
  return folder === 'identity' ? 'auth' : services.find((name) => name === folder);
}
