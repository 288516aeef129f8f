/** SQLSTATE of an error from PostgreSQL, or the code of a system error such as ECONNREFUSED. */
export function errorCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Whether a statement ran into the lock timeout while another transaction held the row, table or advisory lock. */
export function isLockTimeout(error: unknown): boolean {
  return errorCodeOf(error) === '55P03'; // lock_not_available
}

/** Whether a statement violated this unique constraint or unique index. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return errorCodeOf(error) === '23505' && (error as { constraint?: string }).constraint === constraint;
}
