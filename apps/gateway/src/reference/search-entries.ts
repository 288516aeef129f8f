import { errorReasons, errorStatus, type PublicOperation } from '@vaultsvc/contracts';
import { errorTopics } from './error-topics.js';
import { guides } from './guides.js';
import { apiTopicsOf, topicAnchorOf } from './openapi/api-topics.js';
import { forgeOperations } from './openapi/forge-operations.js';
import { operationAnchorOf } from './operations/operation-anchor.js';
import { descriptionOf, titleOf } from './operations/operation-documentation.js';
import { fieldWordsOf } from './operations/field-words.js';
import type { SearchEntry } from './search/client/search-entry.js';

/** All places that the search finds: topics of the API, sections of guides, operations, and reasons of errors. */
export function searchEntriesOf(operations: readonly PublicOperation[]): readonly SearchEntry[] {
  return [
    ...topicEntries(),
    ...guideEntries(),
    ...operations.map(entryOfOperation),
    ...forgeEntries(),
    ...errorEntries(),
  ];
}

function topicEntries(): SearchEntry[] {
  return apiTopicsOf('').map((topic) => ({
    kind: 'Basics',
    title: topic.title,
    place: 'Reference',
    url: `/docs#${topicAnchorOf(topic)}`,
    text: withoutMarkdown(topic.text),
  }));
}

function guideEntries(): SearchEntry[] {
  return guides.flatMap(({ name, title, sections }) =>
    sections.map((section) => ({
      kind: 'Guide' as const,
      title: section.title,
      place: title,
      url: `/docs/guides/${name}${section.anchor === '' ? '' : `#${section.anchor}`}`,
      text: section.text,
    })),
  );
}

function entryOfOperation(op: PublicOperation): SearchEntry {
  return {
    kind: 'Operation',
    title: titleOf(op),
    place: `${op.http.method} ${op.http.path}`,
    url: `/docs#${operationAnchorOf(op.http.method, op.http.path)}`,
    text: descriptionOf(op).replaceAll('\n\n', ' '),
    fields: fieldWordsOf(op),
  };
}

function forgeEntries(): SearchEntry[] {
  return forgeOperations.map(({ method, path, summary, description }) => ({
    kind: 'Operation',
    title: summary,
    place: `${method} ${path} (Forge)`,
    url: `/docs#${operationAnchorOf(method, path)}`,
    text: withoutMarkdown(description ?? summary),
  }));
}

function errorEntries(): SearchEntry[] {
  return errorTopics().flatMap(({ reasons }) =>
    reasons.map((reason) => {
      const { code, message, help = '' } = errorReasons[reason];
      const place = `${errorStatus[code]} ${code}`;
      const text = `${message} ${help}`.trim();
      return { kind: 'Error' as const, title: reason, place, url: `/docs/errors#${reason}`, text };
    }),
  );
}

/** Links become their labels; code has no marks. */
function withoutMarkdown(text: string): string {
  return text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');
}
