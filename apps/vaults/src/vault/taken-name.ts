/** What PostgreSQL says of a statement that it refused. */
export interface Refusal {
  readonly code?: string;
  readonly constraint?: string;
  readonly where?: string;
}

const UNIQUE_VIOLATION = '23505';
const DEADLOCK = '40P01';

/**
 * Whether a unique index has refused a name. Two that are given each other's names at once wait for each other in the
 * index: PostgreSQL lets one of them go, for which the name is taken as for the other, which keeps its own.
 */
export function isNameTaken({ code, constraint, where }: Refusal, index: string): boolean {
  if (code === UNIQUE_VIOLATION) return constraint === index;
  return code === DEADLOCK && where !== undefined && where.includes(`"${index}"`);
}
