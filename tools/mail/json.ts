/** An object from outside: nothing is known about its members. */
export type JsonObject = Record<string, unknown>;

/** @returns undefined if the text is not JSON */
export function parseObject(text: string): JsonObject | undefined {
  try {
    return membersOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** A value as an object, which has no members if it is none. */
export function membersOf(value: unknown): JsonObject {
  return Object(value) as JsonObject;
}

/** A value if it is a list, otherwise an empty one. */
export function itemsOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A value as text, which is empty for null and undefined. */
export function textOf(value: unknown): string {
  return [value].join('');
}
