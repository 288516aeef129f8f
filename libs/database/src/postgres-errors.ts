/** Whether a statement waited too long for a row, table or advisory lock that another transaction has: it changed nothing. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'; // lock_not_available
}
