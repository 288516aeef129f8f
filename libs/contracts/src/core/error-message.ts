/**
 * The messages of errors whose table entry is too general: they name the field, the limit or the methods that the details
 * contain. Details come from another service too, so each value is checked before it is used.
 */

/** The message of an error with these details; undefined where the one of the table stands. */
export function specificMessage(
  reason: string,
  details: Readonly<Record<string, unknown>> = {},
): string | undefined {
  if (reason === 'VALIDATION_ERROR' || reason === 'FIELD_MISSPELLED') return fieldMessage(details['fields']);
  if (reason === 'PAYLOAD_TOO_LARGE') return sizeMessage(details['limit_of'], details['limit_bytes']);
  if (reason === 'NOT_FOUND') return pathMessage(details['nearest']);
  if (reason === 'METHOD_NOT_FOUND') return methodMessage(details['methods']);
  return undefined;
}

/** The first problem as a sentence that starts with its field, such as "recipients.0.email must be given". */
function fieldMessage(fields: unknown): string | undefined {
  const [first] = Array.isArray(fields) ? (fields as unknown[]) : [];
  const { field, message } = (first ?? {}) as { field?: unknown; message?: unknown };
  if (typeof field !== 'string' || typeof message !== 'string') return undefined;
  if (field === '') return MODAL.test(message) ? `The body ${message}` : message;
  const own = field.slice(field.lastIndexOf('.') + 1);
  if (message.startsWith(`${own} `)) return field + message.slice(own.length);
  if (own === field && message.split(/[\s,;:]+/).includes(field)) return message;
  return MODAL.test(message) ? `${field} ${message}` : `${field}: ${message}`;
}

/** Messages without a subject, which is their field. */
const MODAL = /^(?:must|needs|lacks) /;

/** The part of a request that a limit of bytes bounds. */
export type SizeLimitOf = 'body' | 'payload' | 'value';

function sizeMessage(limitOf: unknown, bytes: unknown): string | undefined {
  if (typeof limitOf !== 'string' || typeof bytes !== 'number') return undefined;
  return `The ${limitOf} exceeds ${bytes.toLocaleString('en-US')} bytes.`;
}

function pathMessage(nearest: unknown): string | undefined {
  return typeof nearest === 'string' ? `There is no such path. The nearest one is ${nearest}.` : undefined;
}

function methodMessage(methods: unknown): string | undefined {
  if (!Array.isArray(methods) || methods.length === 0) return undefined;
  const names = methods as string[];
  const list = names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return `This path has ${list} only.`;
}
