import type { PublicOperation } from '@vaultsvc/contracts';
import {
  apiResources,
  inReadingOrder,
  resourceGroups,
  type ApiResource,
} from '../operations/api-resources.js';
import { apiTopicsOf } from './api-topics.js';
import { ComponentSchemas } from './component-schemas.js';
import { forgePathsWithSamples } from './forge-operations.js';
import { responseHeaders, securitySchemes, sharedSchemas } from './openapi-components.js';
import { isLinkOperation } from '../operations/operation-documentation.js';
import { operationObject } from './operation-object.js';
import { errorExamples } from './operation-responses.js';
import type { ReferenceOptions } from './reference-options.js';
import { notificationWebhookSchema, sentWebhooks } from './sent-webhooks.js';

/** An introduction, and what holds for every operation under headings of its own. */
function descriptionOf(origin: string): string {
  const pages = `[Guides](${origin}/docs/guides) · [Glossary](${origin}/docs/guides/glossary) · [Errors](${origin}/docs/errors)`;
  const topics = apiTopicsOf(origin).map(({ title, text }) => `## ${title}\n\n${text}`);
  return ['Encrypted secrets and encrypted storage.', pages, ...topics].join('\n\n');
}

/** The OpenAPI 3.1 document of these operations, from the same contracts by which the gateway routes. */
export function openApiOf(operations: readonly PublicOperation[], options: ReferenceOptions): object {
  const schemas = new ComponentSchemas();
  const ordered = inReadingOrder(operations);
  const paths = pathsOf(ordered, schemas, options);
  return {
    openapi: '3.1.0',
    info: {
      title: 'vaultsvc API',
      version: options.version,
      description: descriptionOf(options.origin),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.origin }],
    tags: apiResources.map((resource) => tagObject(resource, options.origin)),
    'x-tagGroups': resourceGroups(),
    paths: { ...paths, ...forgePathsWithSamples(options.forgeOrigin) },
    webhooks: sentWebhooks,
    components: {
      schemas: { ...schemas.all(), NotificationWebhook: notificationWebhookSchema, ...sharedSchemas },
      examples: errorExamples(ordered, options),
      headers: responseHeaders,
      securitySchemes,
    },
  };
}

function pathsOf(
  operations: readonly PublicOperation[],
  schemas: ComponentSchemas,
  { version, linkOrigins }: ReferenceOptions,
): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {};
  for (const op of operations) {
    const path = (paths[op.http.path] ??= isLinkOperation(op) ? { servers: linkServers(linkOrigins) } : {});
    path[op.http.method.toLowerCase()] = operationObject(op, schemas, version);
  }
  return paths;
}

/** Overrides the document's server: link pages have their own origins (OPEN-22). */
function linkServers([link, files]: readonly string[]): object[] {
  return [
    { url: link, description: 'Links of Sparks, and one-time links of ingots.' },
    { url: files, description: 'Durable shares of ingots.' },
  ];
}

/** The guide is linked in the text too: not every viewer shows `externalDocs` of a tag. */
function tagObject({ name, description, guide }: ApiResource, origin: string): object {
  if (guide === undefined) return { name, description };
  const url = `${origin}/docs/guides/${guide}`;
  return {
    name,
    description: `${description} [Guide](${url}).`,
    externalDocs: { description: 'Guide', url },
  };
}
