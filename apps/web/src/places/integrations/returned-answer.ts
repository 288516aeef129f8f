import { returnTexts as texts } from '../../texts/integrations.js';
import type { PendingConnection } from './pending-connection.js';

/** The answer of the provider: a code for the connection that was started, or a sentence for the person. */
export type Answer =
  | { readonly pending: PendingConnection; readonly code: string; readonly problem?: undefined }
  | { readonly problem: string };

/** Judges the query with which a provider has led back to the page of an integration. */
export function answerOf(
  appId: string | undefined,
  query: URLSearchParams | undefined,
  pending: PendingConnection | undefined,
): Answer {
  if (!query || !pending || pending.appId !== appId || query.get('state') !== pending.state)
    return { problem: texts.foreign };
  const error = query.get('error');
  if (error !== null) return { problem: error === 'access_denied' ? texts.declined : texts.refused };
  const code = query.get('code');
  return code ? { pending, code } : { problem: texts.refused };
}
