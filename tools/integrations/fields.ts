/** Fields of a form or of JSON that somebody else has sent: nothing is known about their values. */
export type Fields = Readonly<Record<string, unknown>>;

export const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? { ...value } : {};

export const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
